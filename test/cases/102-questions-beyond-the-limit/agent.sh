printf '## Questions\n\n1. What about point %s?\n' "$CONTRACTS_ATTEMPT" > "$CONTRACTS_OUT/questions.md"
