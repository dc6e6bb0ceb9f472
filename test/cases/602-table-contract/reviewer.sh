cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED
EOF
