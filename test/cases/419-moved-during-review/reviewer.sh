cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED
EOF
mv active_tasks/review/hello active_tasks/blocked/hello
sleep 600
