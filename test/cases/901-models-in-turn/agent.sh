# A fake client: the events of Codex, shortened. Its first model is refused by the server.
say() { printf '%s\n' "$1"; }
case " $* " in *' -m first '*) model=first ;; *) model=other ;; esac
say '{"type":"thread.started","thread_id":"t-1"}'
if [ "$model" = first ]; then
  say '{"type":"turn.failed","error":{"message":"unexpected status 400 Bad Request: {\"error\":{\"message\":\"no such model\"}}"}}'
  exit 1
fi
echo hello > hello.txt
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] hello.txt says hello' > "$CONTRACTS_OUT/result.md"
say '{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}'
say '{"type":"turn.completed","usage":{"input_tokens":2000,"output_tokens":20}}'
