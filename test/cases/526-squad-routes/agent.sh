if [ -f "$CONTRACTS_OUT/result.md" ]; then
  printf -- '---\nverdict: APPROVED\n---\n\n%s read it.\n' "$CONTRACTS_AGENT" > "$CONTRACTS_OUT/review.md"
  exit 0
fi
echo "$CONTRACTS_AGENT $1" > "$CONTRACTS_TASK.txt"
grep -o 'Say it in ten words\|Article IV, No Invention (hard)' "$CONTRACTS_BRIEF" >> "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<END
- Status: COMPLETE

## Success Criteria

- [x] $CONTRACTS_TASK.txt is there: written
END
