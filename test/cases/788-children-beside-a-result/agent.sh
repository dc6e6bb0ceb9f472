mkdir -p "$CONTRACTS_OUT/children"
printf '%s\n' --- 'title: A part of it' 'agent: drawer' --- '' '## Success Criteria' '' '- [ ] it is done' > "$CONTRACTS_OUT/children/part.md"
if ! grep -q "^## ANSWERS" "$CONTRACTS_BRIEF"; then
  printf '## Questions\n\n1. Which colour?\n' > "$CONTRACTS_OUT/questions.md"
  exit 0
fi
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] it is launched' > "$CONTRACTS_OUT/result.md"
