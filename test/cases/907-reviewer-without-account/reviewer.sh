# A fake client: the events of Claude Code, shortened. Nobody is logged in, then a model fails.
say() { printf '%s\n' "$1"; }
say '{"type":"system","subtype":"init","session_id":"s-1","model":"claude-sonnet-4-5"}'
if [ ! -e logged-in ]; then
  say '{"type":"result","subtype":"success","is_error":true,"result":"Not logged in"}'
  exit 1
fi
case " $* " in *' --model first '*)
  say '{"type":"result","subtype":"success","is_error":true,"result":"API Error: 404 no such model"}'
  exit 1 ;;
esac
printf '%s\n' '# Review' '' '## Verdict' '' '- [x] APPROVED' > "$CONTRACTS_OUT/review.md"
say '{"type":"result","subtype":"success","is_error":false,"result":"Approved.","session_id":"s-1","total_cost_usd":0.01,"usage":{"input_tokens":100,"output_tokens":10},"permission_denials":[]}'
