cd "$CONTRACTS_OUT"
case $CONTRACTS_ATTEMPT in
  0001) ln -s brief.md result.md ;;
  0002) mkdir result.md ;;
  0003) echo '- Status: COMPLETE' > one.md; ln one.md result.md ;;
  *) printf '\377\376' > result.md ;;
esac
