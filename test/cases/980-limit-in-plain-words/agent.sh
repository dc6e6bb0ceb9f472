# A fake client: the first event of Claude Code, and no closing one.
if [ "$1" = --version ]; then echo '2.1.330 (Claude Code)'; exit; fi
printf '%s\n' '{"type":"system","subtype":"init","session_id":"s-1","model":"m"}'
case "$CONTRACTS_TASK" in
  limited) echo 'Error: 429 Too Many Requests' >&2 ;;
esac
exit 1
