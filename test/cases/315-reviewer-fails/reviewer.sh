cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED
EOF
if [ "$CONTRACTS_ATTEMPT" = 0002 ]; then kill -9 $$; fi
