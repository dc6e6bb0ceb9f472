echo soup > "menu-$CONTRACTS_TASK.md"
sed -n 's/^- \[ \] /- [x] /p' "$CONTRACTS_OUT/contract.md" > "$CONTRACTS_OUT/ticks"
printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n' | cat - "$CONTRACTS_OUT/ticks" > "$CONTRACTS_OUT/result.md"
rm "$CONTRACTS_OUT/ticks"
