echo "$CONTRACTS_AGENT looked"
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED
EOF
