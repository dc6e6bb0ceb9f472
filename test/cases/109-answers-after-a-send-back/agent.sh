before="$CONTRACTS_OUT/previous/questions.md"
if [ ! -e "$before" ]; then
  printf '## Questions\n\n1. Who is the guest?\n' > "$CONTRACTS_OUT/questions.md"
  exit 0
fi
guest=$(sed -n '/### Answer/,$p' "$before" | sed -n 3p)
echo "hello $guest $CONTRACTS_ATTEMPT" > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
EOF
