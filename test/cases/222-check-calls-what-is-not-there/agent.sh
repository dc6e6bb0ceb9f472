mkdir -p bin
if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
  echo 'exec program-of-nowhere' > bin/hello
else
  printf '#!/bin/sh\nexit 0\n' > bin/hello
  chmod +x bin/hello
  cp bin/hello bin/other
fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] bin/hello runs
EOF
