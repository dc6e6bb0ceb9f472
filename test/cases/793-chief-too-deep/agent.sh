if grep -q '^## CHILDREN' "$CONTRACTS_BRIEF"; then
  printf '%s\n' '- Status: BLOCKED' '' '## Required Resolution' '' 'The part cannot be made.' > "$CONTRACTS_OUT/result.md"
  exit 0
fi
mkdir -p "$CONTRACTS_OUT/children"
printf '%s\n' --- 'title: A part of it' 'agent: chief-two' --- '' '## Success Criteria' '' '- [ ] it is done' > "$CONTRACTS_OUT/children/part.md"
