child() {
mkdir -p "$CONTRACTS_OUT/children"
printf "%s\\n" --- "title: Make $1" "agent: $2" "$3" --- "" "## Success Criteria" "" "- [ ] $1.txt is there" > "$CONTRACTS_OUT/children/$1.md"
}

child first writer "deliverables: [first.txt]"
touch started
sleep 600
