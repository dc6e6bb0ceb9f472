# A fake client: the events of Codex. Its limit is used up until a file says otherwise.
say() { printf '%s\n' "$1"; }
say '{"type":"thread.started","thread_id":"t-1"}'
if [ ! -e limit-is-over ]; then
  say '{"type":"turn.failed","error":{"message":"You have hit your usage limit. Try again in 3 hours 2 minutes."}}'
  exit 1
fi
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] it is there' > "$CONTRACTS_OUT/result.md"
say '{"type":"turn.completed","usage":{"input_tokens":20,"output_tokens":2}}'
