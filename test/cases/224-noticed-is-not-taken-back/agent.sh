echo hello > src/hello.txt
echo after > notes.txt
echo new > outside.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] src/hello.txt says hello
EOF
