if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
cat > "$CONTRACTS_OUT/questions.md" <<'EOF'
## Questions

1. In which language?
2. For whom?
EOF
  exit 0
fi
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
