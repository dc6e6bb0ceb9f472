case $CONTRACTS_ATTEMPT in
0001 | 0003) echo "hallo $CONTRACTS_ATTEMPT" > hello.txt ;;
*) echo hello > hello.txt ;;
esac
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
