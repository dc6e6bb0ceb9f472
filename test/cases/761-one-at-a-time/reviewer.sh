echo "- Verdict: APPROVED" > "$CONTRACTS_OUT/review.md"
