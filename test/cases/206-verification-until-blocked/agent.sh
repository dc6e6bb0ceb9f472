if grep -q "spelt" "$CONTRACTS_BRIEF"; then echo hello > hello.txt; else echo "hallo $CONTRACTS_ATTEMPT" > hello.txt; fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
