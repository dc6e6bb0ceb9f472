echo "I was called as attempt $CONTRACTS_ATTEMPT"
exit 1
