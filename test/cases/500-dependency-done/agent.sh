case $CONTRACTS_TASK in
b-first) name=first.txt ;;
a-second) name=second.txt ;;
esac
echo "$name" > "$name"
printf -- "- Status: COMPLETE\n\n## Success Criteria\n\n- [x] %s is there\n" "$name" > "$CONTRACTS_OUT/result.md"
