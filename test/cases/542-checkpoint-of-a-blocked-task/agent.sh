if [ "$CONTRACTS_TASK" = b-check ]; then
  printf '%s\n' '- Status: BLOCKED' '' '## Required Resolution' '' 'A link needs a login.' > "$CONTRACTS_OUT/result.md"
  exit 0
fi
echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] its file is there' > "$CONTRACTS_OUT/result.md"
