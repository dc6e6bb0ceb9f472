case "$CONTRACTS_ATTEMPT" in
  0001) mv old.txt aside.txt; status=FAILED ;;
  0002) status=FAILED ;;
  *) echo old > old.txt; status=COMPLETE ;;
esac
cat > "$CONTRACTS_OUT/result.md" <<EOF
- Status: $status

## Success Criteria

- [x] \`old.txt\` is there
EOF
