# A fake client: Gemini CLI ends with the status of the model server, of which eight bits are left.
test "$CONTRACTS_ATTEMPT" -gt 3 || exit 247
say() { printf '%s\n' "$1"; }
say '{"type":"init","session_id":"s-1","model":"m"}'
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] it is there' > "$CONTRACTS_OUT/result.md"
say '{"type":"result","status":"success","stats":{"total_tokens":2}}'
