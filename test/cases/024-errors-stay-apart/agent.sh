if [ "$CONTRACTS_TASK" = a ]; then exit 1; fi
echo b > b.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] b.txt is there
EOF
