echo x > "$CONTRACTS_TASK.txt"
printf -- "- Status: COMPLETE\n\n## Success Criteria\n\n- [x] %s.txt is there\n" "$CONTRACTS_TASK" > "$CONTRACTS_OUT/result.md"
