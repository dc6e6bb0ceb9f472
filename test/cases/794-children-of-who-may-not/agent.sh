mkdir -p "$CONTRACTS_OUT/children"
printf '%s\n' --- 'title: A part of it' 'agent: drawer' --- '' '## Success Criteria' '' '- [ ] it is done' > "$CONTRACTS_OUT/children/part.md"
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] it is launched' > "$CONTRACTS_OUT/result.md"
