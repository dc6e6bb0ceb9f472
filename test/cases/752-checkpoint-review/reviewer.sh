grep "look at the links" "$CONTRACTS_BRIEF"
echo "- Verdict: APPROVED" > "$CONTRACTS_OUT/review.md"
