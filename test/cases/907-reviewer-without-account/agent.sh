# A fake client: the events of Codex, shortened.
printf '%s\n' '{"type":"thread.started","thread_id":"t-1"}'
echo hello > hello.txt
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] hello.txt says hello' > "$CONTRACTS_OUT/result.md"
printf '%s\n' '{"type":"turn.completed","usage":{"input_tokens":2000,"output_tokens":20}}'
