echo "I cannot decide, attempt $CONTRACTS_ATTEMPT."
