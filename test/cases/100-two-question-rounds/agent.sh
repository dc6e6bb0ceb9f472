case $CONTRACTS_ATTEMPT in
0001)
cat > "$CONTRACTS_OUT/questions.md" <<'EOF'
## Questions

1. In which language?
2. For whom?
EOF
  exit 0 ;;
0002)
cat > "$CONTRACTS_OUT/questions.md" <<'EOF'
# Questions: hello

## Questions

### 1. Is an exclamation mark wanted?

It changes the tone.

## What I Understood

English, for the team.
EOF
  exit 0 ;;
esac
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
