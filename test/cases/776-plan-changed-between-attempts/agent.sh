# The plan agent, who makes the plan longer each time, and its reviewers: the first one asks for more once.
if [ "$CONTRACTS_KIND" = review ]; then
  verdict=APPROVED
  [ -e .asked ] || verdict=NEEDS_WORK
  touch .asked
  printf -- '- Verdict: %s\n\n## Findings\n\n- More of it\n' "$verdict" > "$CONTRACTS_OUT/review.md"
  exit
fi
file=$CONTRACTS_OUT/deliverables/.contracts/plans/pens/plan.md
mkdir -p "$(dirname "$file")"
printf '# By the agent\n\n- [ ] Ask (executor: @copywriter, verify: report)\n' > "$file"
grep -q '^## REVIEWER FINDINGS' "$CONTRACTS_BRIEF" &&
  printf -- '- [ ] Write (executor: @copywriter, verify: report)\n' >> "$file"
{
  printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n'
  sed -n 's/^- \[ \]/- [x]/p' "$CONTRACTS_OUT/contract.md"
} > "$CONTRACTS_OUT/result.md"
