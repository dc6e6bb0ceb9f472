cat > "$CONTRACTS_OUT/questions.md" <<'EOF'
# Questions: hello

## Questions
EOF
