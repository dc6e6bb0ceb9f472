test -s hello.txt && grep -q COMPLETE "$CONTRACTS_OUT/result.md" || exit 1
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED

## Findings

It is a fine greeting.
EOF
