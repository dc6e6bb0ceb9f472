if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
  mv active_tasks/in_progress/hello active_tasks/blocked/hello
  sleep 600
fi
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
