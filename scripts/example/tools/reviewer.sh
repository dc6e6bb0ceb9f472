# A scripted reviewer: what janitor of the example said. It reads the files, not the result.
set -eu
sleep 0.6
verdict() {
  cat > "$CONTRACTS_OUT/review.md" <<EOF
# Review: $CONTRACTS_TASK

## Verdict

- [$1] APPROVED
- [$2] NEEDS_WORK
- [$3] REJECT

## Findings

$4
EOF
}
case $CONTRACTS_TASK in
*sms-reminders*)
  verdict ' ' ' ' x '1. Nine of ten customers have no phone number on file: reminders by SMS would reach almost nobody. E-mail does the same for nothing.' ;;
*)
  if grep -q timingSafeEqual\( src/login.mjs; then
    verdict x ' ' ' ' '1. All three criteria hold; the tests were run.'
  else
    verdict ' ' x ' ' '1. src/login.mjs:9 compares hashes with `equals`, which ends at the first byte that differs: how long it takes says how much was right. Use `timingSafeEqual`.'
  fi ;;
esac
