case $CONTRACTS_TASK-$CONTRACTS_ATTEMPT in
c-go-0001) exit 0 ;;
c-go-*) sed -i "s/- \[ \] GO/- [x] GO/" "$CONTRACTS_OUT/questions.md"; exit 0 ;;
esac
case $CONTRACTS_TASK in
*) echo "$CONTRACTS_TASK" > "$CONTRACTS_TASK.txt"
cat > "$CONTRACTS_OUT/result.md" <<'EOF'
- Status: COMPLETE

## Success Criteria

- [x] its file is there
EOF
;;
esac
