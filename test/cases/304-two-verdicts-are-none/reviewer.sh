case $CONTRACTS_ATTEMPT in
0002)
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
## Verdict

- [x] APPROVED
- [x] NEEDS_WORK
EOF
;;
*)
cat > "$CONTRACTS_OUT/review.md" <<'EOF'
## Verdict

<!-- - [x] APPROVED -->

> - [x] APPROVED

```
- [x] APPROVED
```

- [ ] NEEDS_WORK
EOF
;;
esac
