give() { # name agent head
mkdir -p "$CONTRACTS_OUT/children"
cat > "$CONTRACTS_OUT/children/$1.md" <<EOF
---
title: Make $1
$2
deliverables: [$1.txt]
$3
---

# Make $1

## Objective

The $1 of the launch.

## Success Criteria

- [ ] $1.txt is there
EOF
}
case $CONTRACTS_TASK-$CONTRACTS_ATTEMPT in
launch-0001)
give copy 'agent: "@writer"'
give banner 'agent: drawer'
give page 'category: words' 'depends_on: [copy, banner]
context_from: [copy]'
exit 0 ;;
esac
name=$(sed -n 's/^title: Make //p' "$CONTRACTS_OUT/contract.md")
words="it is launched"
test -z "$name" || { words="$name.txt is there"; echo "$CONTRACTS_TASK" > "$name.txt"; }
cat > "$CONTRACTS_OUT/result.md" <<EOF
- Status: COMPLETE

## Success Criteria

- [x] $words
EOF
