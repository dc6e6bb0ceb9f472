mkdir -p "$CONTRACTS_OUT/children"
agent=chief
grep -q '^agent: chief$' "$CONTRACTS_OUT/contract.md" && agent=chief-two
printf '%s\n' --- 'title: A part of it' "agent: $agent" --- '' '## Success Criteria' '' '- [ ] it is done' > "$CONTRACTS_OUT/children/part.md"
test ${#CONTRACTS_TASK} -lt 30 && exit 0
rm -r "$CONTRACTS_OUT/children"
printf '%s\n' '## Questions' '' '1. Which part?' > "$CONTRACTS_OUT/questions.md"
