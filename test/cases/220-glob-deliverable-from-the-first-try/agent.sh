if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
  mkdir out
  echo hello > out/hello.txt
  exit 1
fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] something says hello
EOF
