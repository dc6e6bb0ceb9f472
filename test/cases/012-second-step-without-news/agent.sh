case $CONTRACTS_TASK in
b-asks)
cat > "$CONTRACTS_OUT/questions.md" <<'EOF'
## Questions

1. In which language?
EOF
  ;;
c-fails)
  exit 3 ;;
d-gate)
  echo d > d.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] d.txt is there
EOF
  ;;
esac
