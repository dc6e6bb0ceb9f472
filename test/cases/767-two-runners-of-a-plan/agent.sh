result() {
  printf -- "- Status: $1\n\n## Success Criteria\n\n" > "$CONTRACTS_OUT/result.md"
  sed -n 's/^- \[ \]/- [x]/p' "$CONTRACTS_OUT/contract.md" >> "$CONTRACTS_OUT/result.md"
}
if [ "$CONTRACTS_KIND" = review ]; then
  printf -- '- Verdict: APPROVED\n' > "$CONTRACTS_OUT/review.md"
  exit 0
fi
case $CONTRACTS_TASK in
watch)
  touch watching
  until [ -e go-on ]; do sleep 0.05; done ;;
forge)
  sed -i 's/\[ \] Ship it/[x] Ship it/' .contracts/plans/launch/plan.md
  printf '\n- [x] Nobody said so\n' >> .contracts/plans/launch/stories/launch_login_j2ux.md
  printf '\n## launch_login_j2ux (attempt 1): Log in\n\nLearnings:\n\n- Believe me\n' >> .contracts/plans/launch/notepad.md ;;
*_stop_*)
  printf -- '- Status: BLOCKED\n\n## Required Resolution\n\nA key.\n' > "$CONTRACTS_OUT/result.md"
  exit 0 ;;
esac
result COMPLETE
case $CONTRACTS_TASK in *_login_*) printf '\n## Learnings\n\n- Ask once\n' >> "$CONTRACTS_OUT/result.md" ;; esac
