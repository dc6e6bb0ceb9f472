# The plan agent, and its reviewers.
if [ "$CONTRACTS_KIND" = review ]; then
  printf -- '- Verdict: APPROVED\n' > "$CONTRACTS_OUT/review.md"
  exit
fi
plan=$(sed -n 's/^plan: "\{0,1\}\([a-z]*\)"\{0,1\}$/\1/p' "$CONTRACTS_OUT/contract.md")
file=$CONTRACTS_OUT/deliverables/.contracts/plans/$plan/plan.md
mkdir -p "$(dirname "$file")"
printf '# By the agent\n\n- [ ] Ask (executor: @copywriter, verify: report)\n' > "$file"
if [ "$plan" = sale ]; then
  touch agent-began
  until [ -e go-on ]; do sleep 0.05; done
fi
{
  printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n'
  sed -n 's/^- \[ \]/- [x]/p' "$CONTRACTS_OUT/contract.md"
} > "$CONTRACTS_OUT/result.md"
