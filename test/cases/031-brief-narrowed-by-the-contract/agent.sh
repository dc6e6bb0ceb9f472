cat > "$CONTRACTS_OUT/result.md" <<'END'
# Task Result: hello

- Status: COMPLETE

## Success Criteria

- [x] It is said
END
