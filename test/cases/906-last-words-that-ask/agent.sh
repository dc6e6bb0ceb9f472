# A fake client: the events of Gemini CLI, shortened.
say() { printf '%s\n' "$1"; }
say '{"type":"init","session_id":"u-1","model":"gemini-2.5-flash"}'
say '{"type":"message","role":"assistant","content":"I looked around.\nWhich gree","delta":true}'
[ "$CONTRACTS_TASK" = stopped ] && exit 0
say '{"type":"message","role":"assistant","content":"ting is wanted?","delta":true}'
say '{"type":"result","status":"success","stats":{"input_tokens":100,"output_tokens":10}}'
