# Everybody: who reviews finds it good, each item of a checklist too; who works brings each file that the contract names and ticks
# what it asks for; the plan agent brings wanted.md.
out=$CONTRACTS_OUT
if [ "$CONTRACTS_KIND" = review ]; then
  printf -- '- Verdict: APPROVED\n' > "$out/review.md"
  sed -n '/^## Checklist/,/^## Findings/s/^- \[ \]/- [x]/p' "$CONTRACTS_BRIEF" >> "$out/review.md"
  printf '\n## Findings\n\n%s read it.\n' "$CONTRACTS_AGENT" >> "$out/review.md"
  exit
fi
sed -n '/^deliverables:/,/^[a-z]/s/^ *- "\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$out/contract.md" |
while read -r file; do
  [ "$CONTRACTS_AGENT" = plan ] && file=$out/documents/${file#.contracts/}
  mkdir -p "$(dirname "$file")"
  if [ "$CONTRACTS_AGENT" = plan ]; then cp wanted.md "$file"; else echo "by $CONTRACTS_AGENT" > "$file"; fi
done
{
  printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n'
  sed -n '/^## Success Criteria/,/^## [^S]/s/^- \[ \]\(.*\)/- [x]\1: seen/p' "$out/contract.md"
} > "$out/result.md"
