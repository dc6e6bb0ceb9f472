child() {
mkdir -p "$CONTRACTS_OUT/children"
printf "%s\\n" --- "title: Make $1" "agent: $2" "deliverables: [$1.txt]" --- "" "## Success Criteria" "" "- [ ] $1.txt is there" > "$CONTRACTS_OUT/children/$1.md"
}

case $CONTRACTS_TASK-$CONTRACTS_ATTEMPT in
launch-0001) child bad drawer; child good writer; exit 0 ;;
launch_bad*) printf '%s\n' '- Status: BLOCKED' '' '## Required Resolution' '' 'There is no paint.' > "$CONTRACTS_OUT/result.md"; exit 0 ;;
launch_good*) echo good > good.txt; line='good.txt is there' ;;
*) line='it is launched' ;;
esac
printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' "- [x] $line" > "$CONTRACTS_OUT/result.md"
