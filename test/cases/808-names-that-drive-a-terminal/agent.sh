cat > "$CONTRACTS_OUT/questions.md" <<'EOF'
## Questions

1. Shall I [2Jclear the screen?
EOF
