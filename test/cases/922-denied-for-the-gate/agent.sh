# A fake client: the events of Claude Code, shortened. Two calls are refused, then it does its work.
say() { printf '%s\n' "$1"; }
say '{"type":"system","subtype":"init","session_id":"s-1","model":"claude-sonnet-4-5"}'
for n in 1 2; do
  say '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t'$n'","name":"Write","input":{"file_path":"src/'$n'"}}]},"parent_tool_use_id":null}'
  say '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t'$n'","is_error":true,"content":"PreToolUse:Write hook error: contracts: this is beyond your authority. create src/'$n': the contract lets it write out/**. Do not look for a way around it. And so on."}]},"tool_result_meta":[{"id":"t'$n'","permission_decision":{"decision":"reject"}}]}'
done
echo hello > greeting.txt
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] The greeting is there: greeting.txt' > "$CONTRACTS_OUT/result.md"
say '{"type":"result","subtype":"success","is_error":false,"result":"Done.","usage":{"input_tokens":9,"output_tokens":1},"permission_denials":[{"tool_name":"Write","tool_use_id":"t1","tool_input":{"file_path":"src/1"}},{"tool_name":"Write","tool_use_id":"t2","tool_input":{"file_path":"src/2"}}]}'
