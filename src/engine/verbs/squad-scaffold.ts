/** The files of a new squad, by their place in its folder: whole as they are, and meant to be changed. Pure. */

export function scaffoldOf(name: string): Readonly<Record<string, string>> {
  return {
    'SQUAD.yaml': SQUAD.replaceAll('NAME', name),
    'agents/maker.md': MAKER,
    'agents/reviewer.md': REVIEWER,
    'skills/how-we-work.md': HOW_WE_WORK,
    'checklists/done.md': DONE,
  };
}

const SQUAD = `name: NAME
description: What this team delivers, and for whom
version: 0.1.0
# Words by which a request is recognised as theirs.
tags: [NAME]

# Described in agents/*.md. A role of the package (analyst, pm, …) is simply named.
agents: [maker, reviewer]

default_executor: maker
default_reviewer: reviewer

# A contract with category: making goes to that agent.
categories:
  making:
    description: What is made here day by day
    agent: maker

skills: [how-we-work]

# story | campaign | case | project | feature-spec | task | custom
contract_type: task
plan_type: task
checkpoint_mode: interactive
quality_gates: true
story_driven: false
# How work is verified that says nothing of it: its files are there.
verification: file_exists

# Verifiers of your own, for verify: in contracts and plans.
# checks:
#   spelling: "run: npx cspell deliverables/**"

plan_template: |
  # Plan: {{title}}

  Squad: NAME

  ## Tasks

  {{tasks}}
`;

const MAKER = `---
description: Makes what this team delivers
# What it may write, beside the deliverables of plans:
# write: [docs/**]
---

You make what this team delivers.

- Read the contract, then what the notepad says of earlier work.
- Say in the result what you decided, and why.
- Ask when two wishes exclude each other.
`;

const REVIEWER = `---
description: Judges the work of this team; changes nothing
tools: Read, Grep, Glob
---

You decide whether this is good enough to be used.

- Go through the criteria one by one, with the place that shows each.
- Use the checklist \`done\`.
- Findings have a place, what is wrong, and what would be right.

You mend nothing, and you never judge your own work.
`;

const HOW_WE_WORK = `---
name: how-we-work
description: The method of this team, for everybody in it
---

# How we work

1. What we do first, and what we never begin with.
2. What good work looks like here, by an example.
3. Who decides what, and what is asked of a person.
`;

const DONE = `# Done

- [ ] It does what the contract asks for, and nothing else
- [ ] Every statement has a source, or is marked as our own
- [ ] Somebody who was not there can use it
`;
