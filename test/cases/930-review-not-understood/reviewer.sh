cat > "$CONTRACTS_OUT/review.md" <<'END'
# Review

## Verdict

LGTM, APPROVED
END
