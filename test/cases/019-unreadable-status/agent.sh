echo hello > hello.txt
case $CONTRACTS_ATTEMPT in
0001) status='Status: COMPLETE | FAILED' ;;
0002) status='It is complete, I promise.' ;;
0003) status='- Status: nearly COMPLETE' ;;
esac
cat > "$CONTRACTS_OUT/result.md" <<EOF
$status

## Success Criteria

- [x] hello.txt says hello
EOF
