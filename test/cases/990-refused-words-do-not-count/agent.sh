echo hello > hello.txt
status=COMPLETE
word=
case $CONTRACTS_ATTEMPT in
  *1) word='NOT DONE: ' ;;
  *3) status='❌ COMPLETE' ;;
esac
cat > "$CONTRACTS_OUT/result.md" <<EOF
- Status: $status

## Success Criteria

- [x] ${word}the greeting is friendly
EOF
