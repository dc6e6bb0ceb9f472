# A fake client: the events of Gemini CLI, shortened, and lines on stderr between the parts of its words.
say() { printf '%s\n' "$1"; }
echo 'Ripgrep is not available. Falling back to GrepTool.' >&2
say '{"type":"init","session_id":"u-1","model":"auto"}'
echo 'a hook took 12 ms' >&2
say '{"type":"message","role":"assistant","content":"Which of the ","delta":true}'
say '{"type":"message","role":"assistant","content":"two guests?","delta":true}'
echo '[STARTUP] Cannot measure phase cleanup_ops' >&2
say '{"type":"result","status":"success","stats":{"input_tokens":100,"output_tokens":10,"models":{"gemini-2.5-flash":{}}}}'
