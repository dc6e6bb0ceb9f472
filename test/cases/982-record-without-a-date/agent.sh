# A fake client: the events of Codex. Its limit is used up.
printf '%s\n' '{"type":"thread.started","thread_id":"t-1"}'
printf '%s\n' '{"type":"turn.failed","error":{"message":"We are overloaded."}}'
exit 1
