cat > "$CONTRACTS_OUT/status.md" <<'EOF'
# Task Status: hello

- Status: IN_PROGRESS
- Current Step: looking for a pen
EOF
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
