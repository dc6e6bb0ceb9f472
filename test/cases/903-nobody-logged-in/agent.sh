# A fake client: the events of Claude Code, shortened, without an account.
say() { printf '%s\n' "$1"; }
say '{"type":"system","subtype":"init","session_id":"s-1","model":"claude-sonnet-4-5"}'
say '{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key - Please run /login","session_id":"s-1","total_cost_usd":0,"usage":{"input_tokens":0,"output_tokens":0},"permission_denials":[]}'
exit 1
