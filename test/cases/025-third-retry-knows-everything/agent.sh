case $CONTRACTS_ATTEMPT in
0001) exit 11 ;;
0002) exit 12 ;;
0003) exit 13 ;;
esac
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
