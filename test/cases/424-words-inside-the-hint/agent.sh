case $CONTRACTS_ATTEMPT in 0001|0002|0003) exit 1 ;; esac
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
