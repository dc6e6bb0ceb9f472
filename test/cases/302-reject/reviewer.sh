cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: REJECT

## Findings

Nobody needs greetings.
EOF
