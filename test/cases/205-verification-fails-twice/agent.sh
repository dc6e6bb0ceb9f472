case $CONTRACTS_ATTEMPT in
0001) echo hallo > hello.txt ;;
0003) echo hullo > hello.txt ;;
0005) echo hello > hello.txt ;;
esac
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
