if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then exit 1; fi
if [ "$CONTRACTS_ATTEMPT" = 0004 ]; then echo new > out/new.txt; fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] something says hello
EOF
