child() { # name, head
mkdir -p "$CONTRACTS_OUT/children"
printf '%s\n' --- "title: Make $1" "$2" --- '' '## Success Criteria' '' "- [ ] $1.txt is there" > "$CONTRACTS_OUT/children/$1.md"
}
test $CONTRACTS_ATTEMPT = 0001 || exit 0
child good 'agent: writer'
child stranger 'agent: devops'
child nobody 'priority: low'
child judge 'agent: writer
quality_gate: writer'
child wide 'agent: drawer
adapter: shell
timeout: 9h
write: [src/**]
plan: other
type: checkpoint'
child waits 'agent: writer
depends_on: [launch]'
child gone 'agent: writer
depends_on: [no-such-task]'
child odd 'agent: writer
priority: soon'
child ring-a 'agent: writer
depends_on: [ring-b]'
child ring-b 'agent: writer
depends_on: [ring-a]'
