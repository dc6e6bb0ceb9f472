case $(cat "$CONTRACTS_BRIEF") in *"You review the task"*)
  verdict=APPROVED
  [ -e needs-work ] && verdict=NEEDS_WORK
  printf -- "- Verdict: $verdict\n\n## Findings\n\nFine.\n" > "$CONTRACTS_OUT/review.md"
  exit 0 ;;
esac
case $CONTRACTS_TASK in *_checkpoint*) exit 0 ;; esac
echo "$CONTRACTS_TASK" >> login.txt
printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n' > "$CONTRACTS_OUT/result.md"
sed -n 's/^- \[ \]/- [x]/p' "$CONTRACTS_OUT/contract.md" >> "$CONTRACTS_OUT/result.md"
