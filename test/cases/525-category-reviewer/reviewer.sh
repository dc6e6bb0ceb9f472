cat > "$CONTRACTS_OUT/review.md" <<END
- Verdict: APPROVED

## Findings

$CONTRACTS_AGENT has read it.
END
