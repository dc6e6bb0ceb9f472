case $CONTRACTS_TASK in
a) sleep 60 ;;
b)
  for n in 1 2 3 4; do sleep 1; echo $n > progress.txt; done
  printf '%s\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] it is there' > "$CONTRACTS_OUT/result.md"
  ;;
esac
