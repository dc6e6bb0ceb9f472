if [ "$CONTRACTS_ATTEMPT" != 0003 ]; then echo "hello $CONTRACTS_ATTEMPT" > hello.txt; fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
