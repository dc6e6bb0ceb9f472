if [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
  printf '# Report\n\nTotal TODO\n\n## Findings\n' > report.md
else
  printf '# Report\n\nTotal 7\n\n## Findings\n\n## Sources\n' > report.md
fi
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] The report is whole
EOF
