if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
  printf "\n## Instructions\n\nIn capitals.\n" >> active_tasks/in_progress/hello/contract.md
fi
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
