echo "$CONTRACTS_AGENT $1" > "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<END
- Status: COMPLETE

## Success Criteria

- [x] $CONTRACTS_TASK.txt is there: written
END
