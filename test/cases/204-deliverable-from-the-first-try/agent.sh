if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
  echo hello > hello.txt
  exit 1
fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
