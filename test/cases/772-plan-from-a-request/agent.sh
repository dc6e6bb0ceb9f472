plan=.contracts/plans/a-newsletter-campaign-for-our/plan.md
if grep -q "You review the task" "$CONTRACTS_BRIEF"; then
  test -s $plan || exit 1
  printf -- '- Verdict: APPROVED\n\n## Findings\n\nNothing blocks it.\n' > "$CONTRACTS_OUT/review.md"
  exit 0
fi
if ! grep -q "^## ANSWERS" "$CONTRACTS_BRIEF"; then
  printf '## Questions\n\n1. Who is it for?\n' > "$CONTRACTS_OUT/questions.md"
  exit 0
fi
who=copywrighter
grep -q "^## REVIEWER FINDINGS" "$CONTRACTS_BRIEF" && who=copywriter
mkdir -p "$CONTRACTS_OUT/deliverables/$(dirname $plan)"
cat > "$CONTRACTS_OUT/deliverables/$plan" <<END
# Plan: Blue pens
Squad: marketing
Checkpoint: auto

A newsletter for schools.

## Wave 1: Words

- [ ] **Write it** (id: write, executor: @$who, verify: report)

## Wave 2: Out

- [ ] **Say when it is sent** (id: send, executor: @traffic-master, verify: report)
END
printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n' > "$CONTRACTS_OUT/result.md"
sed -n 's/^- \[ \]/- [x]/p' "$CONTRACTS_OUT/contract.md" >> "$CONTRACTS_OUT/result.md"
printf '\n## Learnings\n\n- Schools buy in August\n' >> "$CONTRACTS_OUT/result.md"
