# A member of a team, or a step of a workflow: fails, asks or is blocked as .contracts/roles says, else completes
# with the sections that its check names. What it was given of others goes into its result.
out=$CONTRACTS_OUT
said() { grep -q "^$1 $2\$" "$CONTRACTS_ROOT/.contracts/roles" 2>/dev/null; }
name=$(echo "$CONTRACTS_TASK" | sed 's/-[0-9a-z]\{4\}$//')
if said fails "$name"; then
  printf '# Task Result: %s\n\n- Status: FAILED\n\n## Attempted Approaches\n\nEverything.\n' "$CONTRACTS_TASK" > "$out/result.md"
  exit 0
fi
if said asks "$name"; then
  printf '# Questions: %s\n\n## Questions\n\n1. Which of the two is meant?\n' "$CONTRACTS_TASK" > "$out/questions.md"
  exit 0
fi
if said blocks "$name"; then
  printf '# Task Result: %s\n\n- Status: BLOCKED\n\n## Required Resolution\n\nA key.\n' "$CONTRACTS_TASK" > "$out/result.md"
  exit 0
fi
given=$(grep -oE '^Result of `[a-z0-9-]+`( \([a-z_]+)?' "$CONTRACTS_BRIEF" | sed -E 's/^Result of //; s/ \(/: /; s/`//g; s/-[0-9a-z]{4}(:|$)/\1/; s/^/- /')
{
  printf '# Task Result: %s\n\n- Status: COMPLETE\n\n## Success Criteria\n\n' "$CONTRACTS_TASK"
  grep -E '^- \[ \]' "$out/contract.md" | sed 's/\[ \]/[x]/; s/$/ (seen)/'
  grep -o 'result: [^"]*' "$out/contract.md" | head -1 | sed 's/^result: //' | tr ',' '\n' | sed 's/^ //' |
    while read -r heading; do printf '\n## %s\n\n%s has looked.\n' "$heading" "$name"; done
  printf '\n## Notes\n\nGiven:\n\n%s\n' "$given"
} > "$out/result.md"
for file in $(sed -n '/^deliverables:/,/^[a-z]/p' "$out/contract.md" | sed -n 's/^  - //p'); do
  case "$file" in .contracts/*) file=$out/documents/${file#.contracts/} ;; esac
  mkdir -p "$(dirname "$file")"
  echo "$name wrote this" > "$file"
done
