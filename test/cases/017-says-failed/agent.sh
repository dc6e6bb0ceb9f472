cat > "$CONTRACTS_OUT/result.md" <<EOF
- Status: FAILED

## Attempted Approaches

1. Attempt $CONTRACTS_ATTEMPT looked for a pen and found none.
EOF
