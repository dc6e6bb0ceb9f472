echo built > built.txt
printf -- "- Status: COMPLETE\n\n## Success Criteria\n\n- [x] the tests pass\n" > "$CONTRACTS_OUT/result.md"
