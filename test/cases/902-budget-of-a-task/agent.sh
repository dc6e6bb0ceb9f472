# A fake client: the events of Claude Code, shortened. Its first try ends without a result.
say() { printf '%s\n' "$1"; }
say '{"type":"system","subtype":"init","session_id":"s-1","model":"claude-sonnet-4-5"}'
case " $* " in *' --resume s-1 '*) echo hello > hello.txt
  printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] hello.txt says hello' > "$CONTRACTS_OUT/result.md" ;; esac
say '{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s-1","total_cost_usd":0.02,"usage":{"input_tokens":100,"output_tokens":10},"permission_denials":[]}'
