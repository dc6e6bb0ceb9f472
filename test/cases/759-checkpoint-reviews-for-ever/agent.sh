case $CONTRACTS_TASK in
c-go) printf '## Decision\n\n- [x] REVIEW\n' > "$CONTRACTS_OUT/questions.md"; exit 0 ;;
esac
echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<'END'
- Status: COMPLETE

## Success Criteria

- [x] its file is there
END
