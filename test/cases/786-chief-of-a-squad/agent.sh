# kord gives the whole to the chief of marketing, the chief its parts to his squad; with their results
# both say that it is complete. The others bring what the contract names.
out=$CONTRACTS_OUT
if [ "$CONTRACTS_KIND" = review ]; then
  printf -- '- Verdict: APPROVED\n\n## Findings\n\n%s read it.\n' "$CONTRACTS_AGENT" > "$out/review.md"
  exit
fi
give() { # name, title, who, what else
  mkdir -p "$out/children"
  cat > "$out/children/$1.md" <<END
---
title: $2
agent: $3
$4
---

# $2

## Objective

$2.

## Success Criteria

- [ ] it is there
END
}
case $CONTRACTS_AGENT-$CONTRACTS_ATTEMPT in
kord-0001)
  give campaign "Rebrand us" marketing/brand-chief "squad: marketing
quality_gate: [marketing/brand-reviewer]"
  exit ;;
marketing/brand-chief-0001)
  give text "Write the text" copywriter "deliverables: [docs/rebrand/text.md]
quality_gate: [brand-reviewer]"
  give banner "Draw the banner" designer "deliverables: [docs/rebrand/banner.md]
quality_gate: [brand-reviewer]
depends_on: [text]
context_from: [text]"
  exit ;;
esac
sed -n '/^deliverables:/,/^[a-z]/s/^ *- "\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$out/contract.md" |
while read -r file; do
  mkdir -p "$(dirname "$file")"
  echo "by $CONTRACTS_AGENT" > "$file"
done
{
  printf -- '- Status: COMPLETE\n\n## Success Criteria\n\n'
  sed -n '/^## Success Criteria/,/^## [^S]/s/^- \[ \]\(.*\)/- [x]\1: seen/p' "$out/contract.md"
} > "$out/result.md"
