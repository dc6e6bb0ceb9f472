cat > "$CONTRACTS_OUT/review.md" <<'EOF2'
## Verdict

- [x] APPROVED
EOF2
