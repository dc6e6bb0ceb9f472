echo hello > hello.txt
printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] hello.txt says hello\n' > "$CONTRACTS_OUT/result.md"
