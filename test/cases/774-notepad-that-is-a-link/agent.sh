echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<END
- Status: COMPLETE

## Success Criteria

- [x] its file is there
END
case $CONTRACTS_TASK in
a-*) cat >> "$CONTRACTS_OUT/result.md" <<'END'

## Notes

The old page is still linked.
## c-other (attempt 1): no entry of anybody

## Learnings

- [correction] The logo is green,
  not blue
- Pages are written in Markdown <!-- and

## Decisions Needed

- Who owns the domain?
END
;;
esac
