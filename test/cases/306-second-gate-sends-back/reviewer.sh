if [ "$CONTRACTS_AGENT" = janitor ] && grep -q 0001 hello.txt; then
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: NEEDS_WORK

## Findings

No numbers like 0001.
EOF
else
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
- Verdict: APPROVED
EOF
fi
