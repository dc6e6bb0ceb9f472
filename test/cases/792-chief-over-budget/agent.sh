child() {
mkdir -p "$CONTRACTS_OUT/children"
printf '%s\n' --- "title: Make $1" 'agent: writer' "deliverables: [$1.txt]" --- '' '## Success Criteria' '' "- [ ] $1.txt is there" > "$CONTRACTS_OUT/children/$1.md"
}
case $CONTRACTS_TASK-$CONTRACTS_ATTEMPT in
launch-0001) child a; child b; child c; exit 0 ;;
launch-0002) child a; mkdir "$CONTRACTS_OUT/children/b.md"; ln -s a.md "$CONTRACTS_OUT/children/c.md"; echo > "$CONTRACTS_OUT/children/To Do.md"; exit 0 ;;
launch-0003) child a; child b; exit 0 ;;
launch-*) child a; exit 0 ;;
esac
name=$(sed -n 's/^title: Make //p' "$CONTRACTS_OUT/contract.md")
echo > "$name.txt"; echo it is there >> "$name.txt"
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' "- [x] $name.txt is there" > "$CONTRACTS_OUT/result.md"
