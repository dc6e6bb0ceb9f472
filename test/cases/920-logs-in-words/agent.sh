# A fake client: the events of Claude Code, shortened, and what it prints on stderr.
say() { printf '%s\n' "$1"; }
echo 'Claude configuration file not found at: /home/you/.claude.json' >&2
say '{"type":"system","subtype":"init","session_id":"s-1","model":"claude-sonnet-4-5","slash_commands":["doctor","clear"]}'
say '{"type":"assistant","message":{"content":[{"type":"text","text":"I look at the tests first."}]},"parent_tool_use_id":null}'
say '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"npm test"}}]},"parent_tool_use_id":null}'
say '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\n> test\nError: 2 tests failed"}]}}'
say '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"git push"}}]},"parent_tool_use_id":null}'
say '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"Permission to use Bash with command git push has been denied."}]},"tool_result_meta":[{"id":"t2","permission_decision":{"decision":"reject"}}]}'
say '{"type":"assistant","message":{"content":[{"type":"text","text":"I cannot push.\nThe tests fail."}]},"parent_tool_use_id":null}'
say '{"type":"result","subtype":"success","is_error":false,"result":"The tests fail.","total_cost_usd":0.02,"usage":{"input_tokens":9,"output_tokens":1},"modelUsage":{"a":{"inputTokens":100,"outputTokens":10},"b":{"inputTokens":200,"outputTokens":20}},"permission_denials":[{"tool_name":"Bash","tool_use_id":"t2","tool_input":{"command":"git push"}}]}'
