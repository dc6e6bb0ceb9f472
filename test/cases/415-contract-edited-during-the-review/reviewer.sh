if [ "$CONTRACTS_ATTEMPT" = 0002 ]; then
  printf "\n## Instructions\n\nIn capitals.\n" >> active_tasks/review/hello/contract.md
fi
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED
EOF
