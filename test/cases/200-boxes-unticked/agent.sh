echo hello > hello.txt
if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
- [ ] It is friendly
EOF
  exit 0
fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
- [x] It is friendly — I smiled
- [x] It is short
EOF
