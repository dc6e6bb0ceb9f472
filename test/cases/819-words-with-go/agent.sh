echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
[ "$CONTRACTS_TASK" = d-ship ] && cp "$CONTRACTS_BRIEF" brief.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] its file is there
EOF
