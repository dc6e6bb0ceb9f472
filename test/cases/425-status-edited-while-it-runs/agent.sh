home=active_tasks/in_progress/hello
say() {
  printf -- '- Status: IN_PROGRESS\n- Current Step: %s\n' "$1" > "$CONTRACTS_OUT/status.md.new"
  mv "$CONTRACTS_OUT/status.md.new" "$CONTRACTS_OUT/status.md"
}
shown() {
  i=0
  until grep -q "$1" "$home/status.md" 2>/dev/null || [ $i -gt 1000 ]; do i=$((i + 1)); sleep 0.02; done
}
say pencils
shown pencils
echo 'A person: which colour?' >> "$home/status.md"
say ink
shown ink
echo 'A person: blue, please.' >> "$home/status.md"
echo hello > hello.txt
cat > "$CONTRACTS_OUT/result.md" <<'END'
- Status: COMPLETE

## Success Criteria

- [x] hello.txt says hello
END
