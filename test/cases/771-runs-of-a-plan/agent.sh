case $CONTRACTS_TASK in
*_ship_*) cat > "$CONTRACTS_OUT/result.md" <<'END'
- Status: BLOCKED

## Attempted Approaches

The old host.

## Required Resolution

A password for the new host.
END
;;
*) printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n' > "$CONTRACTS_OUT/result.md"
sed -n 's/^- \[ \]/- [x]/p' "$CONTRACTS_OUT/contract.md" >> "$CONTRACTS_OUT/result.md"
;;
esac
