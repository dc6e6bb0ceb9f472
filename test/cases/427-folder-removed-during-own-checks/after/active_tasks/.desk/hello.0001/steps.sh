# Runs the contract's steps in order. Stops at the first that fails, with its exit code,
# and quietly after one that wrote questions.md or result.md.
n=1
while [ "$n" -le 1 ]; do
  printf '== step %s of 1\n' "$n"
  sh -eu "$CONTRACTS_OUT/step-$n.sh" || exit $?
  if [ -e "$CONTRACTS_OUT/questions.md" ] || [ -e "$CONTRACTS_OUT/result.md" ]; then exit 0; fi
  n=$((n + 1))
done
