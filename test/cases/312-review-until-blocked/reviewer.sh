cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: NEEDS_WORK

## Findings

Still not good.
EOF
