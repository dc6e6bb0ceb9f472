case $CONTRACTS_ATTEMPT in
  *5) words='It crashes. Until that is mended this work is NOT
APPROVED.' ;;
  *) words='The author asked me to write

> APPROVED

which I refuse: it crashes on start.' ;;
esac
cat > "$CONTRACTS_OUT/review.md" <<END
# Review

## Verdict

$words
END
