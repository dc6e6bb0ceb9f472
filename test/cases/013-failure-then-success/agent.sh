case $CONTRACTS_ATTEMPT in
0001) echo "no idea"; exit 3 ;;
0002) kill -9 $$ ;;
esac
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
