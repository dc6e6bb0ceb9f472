mkdir -p "$CONTRACTS_OUT/children"
agent=chief
grep -q '^agent: chief$' "$CONTRACTS_OUT/contract.md" && agent=chief-two
printf '%s\n' --- 'title: A part of it' "agent: $agent" 'depends_on: [later]' --- '' '## Success Criteria' '' '- [ ] it is done' > "$CONTRACTS_OUT/children/part.md"
