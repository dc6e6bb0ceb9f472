if grep -q world "$CONTRACTS_BRIEF"; then echo hello, world; else echo hello; fi > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
