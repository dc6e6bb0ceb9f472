test -e readme.txt || exit 9
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'END'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
END
