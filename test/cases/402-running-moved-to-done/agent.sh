if [ "$CONTRACTS_TASK" = hello ]; then
  mv active_tasks/in_progress/hello active_tasks/done/hello
  sleep 600
fi
echo next > next.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] next.txt is there
EOF
