case $CONTRACTS_TASK in
a-plain) echo found > a-plain.txt; note='Found a door.' ;;
b-broken) printf '%s\n' '- Status: FAILED' '' '## Attempted Approaches' '' '- The lock is rusty.' > "$CONTRACTS_OUT/result.md"; exit 0 ;;
c-gone) printf '%s\n' '## Questions' '' '1. Which key?' > "$CONTRACTS_OUT/questions.md"; exit 0 ;;
*) echo sum > sum.txt; note='One of three.' ;;
esac
# The criterion is not ticked: the runner has seen the file itself.
printf '%s\n' '- Status: COMPLETE' '' '## Notes' '' "$note" > "$CONTRACTS_OUT/result.md"
