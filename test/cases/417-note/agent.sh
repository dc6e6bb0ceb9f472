if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then exit 1; fi
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
