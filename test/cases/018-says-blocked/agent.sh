cat > "$CONTRACTS_OUT/result.md" <<'EOF'
| Field | Value |
| --- | --- |
| Status | 🚫 BLOCKED |

## Required Resolution

A person must lend me a pen.
EOF
