case $CONTRACTS_TASK in
*) echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] its file is there
EOF
;;
esac
