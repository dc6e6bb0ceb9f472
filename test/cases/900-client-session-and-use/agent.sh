# A fake client: the events of Claude Code, shortened. First it asks, then it is resumed and works.
say() { printf '%s\n' "$1"; }
case " $* " in *' --resume s-1 '*) resumed=yes ;; *) resumed=no ;; esac
say '{"type":"system","subtype":"init","session_id":"s-1","model":"claude-sonnet-4-5","tools":["Write"]}'
case $resumed in
no)
  say '{"type":"assistant","message":{"content":[{"type":"text","text":"I have to ask first."},{"type":"tool_use","name":"AskUserQuestion","input":{"questions":[{"question":"In which language?","options":[{"label":"English"},{"label":"Latin"}]}]}}]},"parent_tool_use_id":null}'
  say '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"","session_id":"s-1","total_cost_usd":0.01,"usage":{"input_tokens":100,"output_tokens":10},"permission_denials":[{"tool_name":"AskUserQuestion","tool_use_id":"t1","tool_input":{}}]}'
  ;;
yes)
  grep -q 'English, please' "$CONTRACTS_BRIEF" || exit 3
  say '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Write","input":{"file_path":"hello.txt","content":"hello"}}]},"parent_tool_use_id":null}'
  echo hello > hello.txt
  printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] hello.txt says hello' > "$CONTRACTS_OUT/result.md"
  say '{"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"Done.","session_id":"s-1","total_cost_usd":0.02,"usage":{"input_tokens":200,"cache_read_input_tokens":50,"output_tokens":20},"permission_denials":[]}'
  ;;
esac
