# A fake client: the events of OpenCode, shortened.
say() { printf '%s\n' "$1"; }
say '{"type":"step_start","sessionID":"ses_1","part":{"type":"step-start"}}'
echo hello > hello.txt
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] hello.txt says hello' > "$CONTRACTS_OUT/result.md"
say '{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop","cost":0.5,"tokens":{"input":900,"output":100}}}'
