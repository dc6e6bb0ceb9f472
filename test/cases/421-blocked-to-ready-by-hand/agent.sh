case $CONTRACTS_ATTEMPT in
0001) exit 1 ;;
0002) exit 2 ;;
0003) exit 3 ;;
esac
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
