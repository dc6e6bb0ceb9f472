# A fake client: the events of Claude Code, shortened; it counts for its whole session. Its first try ends without a result.
say() { printf '%s\n' "$1"; }
cost=0.02 input=100 output=10
say '{"type":"system","subtype":"init","session_id":"s-1","model":"claude-sonnet-4-5"}'
case " $* " in *' --resume s-1 '*) cost=0.04 input=200 output=20; echo hello > hello.txt
  printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] hello.txt says hello' > "$CONTRACTS_OUT/result.md" ;; esac
say '{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s-1","total_cost_usd":'$cost',"usage":{"input_tokens":'$input',"output_tokens":'$output'},"permission_denials":[]}'
