# A fake client: the events of Codex. Its limit is used up.
printf '%s\n' '{"type":"thread.started","thread_id":"t-1"}'
printf '%s\n' '{"type":"turn.failed","error":{"message":"You have hit your usage limit. Try again in 3 hours 2 minutes."}}'
exit 1
