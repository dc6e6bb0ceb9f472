if [ "$CONTRACTS_TASK" = first ]; then
  sed -i 's/^  - run: .*/  - run: "true"/' active_tasks/ready/second/contract.md
fi
echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<END
- Status: COMPLETE

## Success Criteria

- [x] $CONTRACTS_TASK.txt says $CONTRACTS_TASK
END
