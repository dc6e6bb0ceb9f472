case $CONTRACTS_TASK in
c-go) echo "who am I to say"; exit 1 ;;
*) echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<'END'
- Status: COMPLETE

## Success Criteria

- [x] its file is there
END
;;
esac
