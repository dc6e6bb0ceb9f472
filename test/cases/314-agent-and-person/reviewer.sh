cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED

## Findings

Fine by me.
EOF
