echo made > "$CONTRACTS_TASK.txt"
if [ "$CONTRACTS_TASK" = deep ]; then
  d=d$(printf '%0200d' 1)
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do mkdir $d && cd $d; done
  echo x > f
fi
printf -- "- Status: COMPLETE\n\n## Success Criteria\n\n- [x] it is there\n" > "$CONTRACTS_OUT/result.md"
