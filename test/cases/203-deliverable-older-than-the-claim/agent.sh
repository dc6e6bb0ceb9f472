touch hello.txt
if [ "$CONTRACTS_ATTEMPT" = 0003 ]; then echo "hello from today" > hello.txt; fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
