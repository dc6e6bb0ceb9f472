if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then echo hello; else echo hello, world; fi > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
