printf "%s\n" "- Status: FAILED" > "$CONTRACTS_OUT/result.md"
