# A fake client: the events of Codex, whose provider names a variable that it was not given.
say() { printf '%s\n' "$1"; }
say '{"type":"thread.started","thread_id":"t-1"}'
say '{"type":"turn.failed","error":{"message":"Missing environment variable: `MY_GATEWAY_KEY`."}}'
exit 1
