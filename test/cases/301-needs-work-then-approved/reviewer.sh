if grep -q world hello.txt; then
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
## Verdict

- [x] APPROVED
- [ ] NEEDS_WORK
- [ ] REJECT
EOF
else
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
## Verdict

- [ ] APPROVED
- [x] NEEDS_WORK
- [ ] REJECT

## Findings

1. hello.txt:1 greets nobody; name the world.
EOF
fi
