mkdir -p "$CONTRACTS_OUT/children"
printf '%s\n' --- 'title: A part of it' 'agent: chief-two' --- '' '## Success Criteria' '' '- [ ] it is done' > "$CONTRACTS_OUT/children/part.md"
