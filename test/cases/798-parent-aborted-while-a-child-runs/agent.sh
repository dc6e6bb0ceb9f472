child() {
mkdir -p "$CONTRACTS_OUT/children"
printf "%s\\n" --- "title: Make $1" "agent: $2" "$3" --- "" "## Success Criteria" "" "- [ ] $1.txt is there" > "$CONTRACTS_OUT/children/$1.md"
}

case $CONTRACTS_TASK in
launch) child first writer "deliverables: [first.txt]"; child second drawer "depends_on: [first]" ;;
*) touch started; sleep 600 ;;
esac
