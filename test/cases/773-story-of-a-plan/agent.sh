story=.contracts/plans/launch/stories/$CONTRACTS_TASK.md
if grep -q "You review the task" "$CONTRACTS_BRIEF"; then
  verdict=APPROVED
  grep -q "It asks twice." "$CONTRACTS_BRIEF" && verdict=NEEDS_WORK
  printf -- "- Verdict: $verdict\n\n## Findings\n\nAsk once.\n" > "$CONTRACTS_OUT/review.md"
  exit 0
fi
case $CONTRACTS_TASK in *_checkpoint*)
  sed 's/^- \[ \] GO/- [x] GO/' "$CONTRACTS_OUT/questions.md" > q.tmp && cat q.tmp > "$CONTRACTS_OUT/questions.md" && rm q.tmp
  exit 0 ;;
esac
case $CONTRACTS_TASK in *_login_*)
  echo login >> login.txt
  if grep -q "^## REVIEWER FINDINGS" "$CONTRACTS_BRIEF"; then sed -i 's/It asks twice./It asks once./' $story
  else sed -i 's/^## File List/It asks twice.\n\n## File List/; s/^- \[ \] Log in/- [x] Log in/' $story
  fi ;;
esac
printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n' > "$CONTRACTS_OUT/result.md"
sed -n 's/^- \[ \]/- [x]/p' "$CONTRACTS_OUT/contract.md" >> "$CONTRACTS_OUT/result.md"
