# A fake client: the events of Claude Code. It forgets each session.
say() { printf '%s\n' "$1"; }
case " $* " in *' --resume '*)
  say '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["No conversation found with session ID"]}'
  exit 1 ;;
esac
say '{"type":"system","subtype":"init","session_id":"s-'$CONTRACTS_ATTEMPT'","model":"m"}'
if [ "$CONTRACTS_ATTEMPT" -gt 1 ]; then
  printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] it is there' > "$CONTRACTS_OUT/result.md"
fi
say '{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s-'$CONTRACTS_ATTEMPT'","usage":{"input_tokens":2,"output_tokens":2}}'
