case $CONTRACTS_ATTEMPT in
0001)
cat > "$CONTRACTS_OUT/questions.md" <<'EOF'
## Questions

1. In which language?
EOF
  exit 0 ;;
esac
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello

## Learnings

Greetings are short. They have
one line.

The team reads English.
EOF
