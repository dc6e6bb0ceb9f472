sed -i 's/\[.\] Draft it/[x] Draft it/' .contracts/plans/launch/plan.md
[ -e once ] || { touch once; exit 1; }
echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] its file is there\n' > "$CONTRACTS_OUT/result.md"
