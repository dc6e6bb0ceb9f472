/**
 * What a newcomer stumbled over on a first walk, typed into a shell with the built command: each row is the
 * walk, what it must print, and what it must not.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

let rooms = '';
beforeAll(() => {
  rooms = sealedFolder('walk');
  const shim = join(rooms, 'contracts');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`);
  chmodSync(shim, 0o755);
});

interface Walk {
  readonly name: string;
  /** For `sh`, in an empty folder; `task` and `plan` are functions of it. */
  readonly type: string;
  readonly prints: readonly RegExp[];
  readonly never?: readonly RegExp[];
}

const BEFORE = `
task() { id=$1; shift; contracts new "$id it" --id "$id" "$@" > made 2>&1 && contracts confirm "$id" > confirmed 2>&1; }
plan() { mkdir -p .contracts/plans/p; printf '# Plan: P\\n## Wave 1\\n%s\\n' "$1" > .contracts/plans/p/plan.md; }
contract() { mkdir -p "active_tasks/draft/$1"; printf -- "---\\ntitle: T\\n$2\\n---\\n\\n## Success Criteria\\n\\n- [ ] x\\n\\n## Steps\\n\\n~~~sh\\ntrue\\n~~~\\n" > "active_tasks/draft/$1/contract.md"; }
tell() { "$@" 2>&1; echo "[exit $?]"; }
`;

let number = 0;

function walked(type: string): Promise<string> {
  number += 1;
  const room = join(rooms, String(number));
  const home = join(rooms, `home-${number}`);
  for (const folder of [room, home]) mkdirSync(folder);
  const env = {
    PATH: `${rooms}:${process.env['PATH']}`,
    HOME: home,
    TMPDIR: home,
    NO_COLOR: '1',
    CONTRACTS_TRUST: '1',
    CONTRACTS_SANDBOX: 'none',
  };
  return new Promise((resolve) => {
    execFile('sh', ['-c', `${BEFORE}\nexec 2>&1\n${type}`], { cwd: room, env }, (_, out) =>
      resolve(out),
    );
  });
}

const KEYS = {
  depends_on: ['depends', 'dependencies', 'blocked_by', 'after'],
  agent: ['executor', 'assignee'],
  quality_gate: ['reviewer', 'gate'],
  verify: ['check'],
  write: ['write_paths'],
  retries_max: ['max_retries'],
};

const HIGH: readonly Walk[] = [
  {
    name: 'H1: the printed cure of a deliverable that is as before cures',
    type: `contracts init > made; echo moo > moo.txt
      task moo --deliverable moo.txt --sh "echo moo > moo.txt"; contracts run | tail -n 2
      rm moo.txt; contracts retry moo; contracts run`,
    prints: [/moo {2}blocked: deliverable moo\.txt has not changed/, /moo {2}review → done/],
  },
  {
    name: 'H2: a clone with .contracts/ alone is a workspace',
    type: `mkdir .contracts; tell contracts run; tell contracts new Hello --id h --run true --sh true
      rm -r active_tasks; tell contracts doctor --fix`,
    prints: [/active_tasks\/draft\/h\/contract\.md/, /\[exit 0\][^]*\[exit 0\][^]*\[exit 0\]/],
    never: [/fault/, /\[exit [1-9]/],
  },
  {
    name: 'H3: a task that was moved into the place of a missing state folder is named',
    type: `mkdir -p active_tasks/draft/mine; echo > active_tasks/draft/mine/contract.md
      mv active_tasks/draft/mine active_tasks/ready; contracts step`,
    prints: [/Give it a folder of its own: mkdir active_tasks\/ready\//],
  },
  {
    name: 'H5: --sh means the shell where the default agent is another',
    type: `contracts init > made; printf 'adapter: fixer\\nadapters:\\n  fixer: { type: command, run: [node, fixer.mjs] }\\n' > .contracts/config.yaml
      task hello --run "test -f hello.txt" --sh "touch hello.txt"; contracts run`,
    prints: [/calls builder \(shell\)/, /hello {2}review → done/],
  },
];

const MEDIUM: readonly Walk[] = [
  {
    name: 'M1: git leaves desks and logs out',
    type: `git init -q; contracts init > made; contracts init | tail -n 1
      task hello --run true --sh "echo hi"; contracts run > ran; git add -A -n`,
    prints: [/add 'active_tasks\/done\/hello\/contract\.md'/, /add '\.contracts\/config\.yaml'/],
    never: [/\/desk\//, /output\.log/],
  },
  {
    name: 'M3: the last line of the log is in the reason',
    type: `contracts init > made; task hello --run true --sh "anothermissing"; contracts run; contracts list`,
    prints: [/blocked {2}hello .*anothermissing: (?:not found|inaccessible)/],
  },
  ...Object.entries(KEYS).flatMap(([ours, theirs]) =>
    theirs.map((key) => ({
      name: `M5: ${key} is no key, ${ours} is; the task is not worked on`,
      type: `contracts init > made; contract t "${key}: other"; tell contracts confirm t`,
      prints: [
        new RegExp(
          `contract\\.md:3:1: error: the key for this is ${ours}; .*found "${key}".*Write ${ours} instead`,
        ),
        /\[exit 2\]/,
      ],
    })),
  ),
  {
    name: 'M6: check names all problems of a contract at once, warnings too',
    type: `contracts init > made
      contract t 'timeout: 5 minutes\\nverify: [npm test, "foo: bar"]\\nquality_gate: nobodyy\\nfoo: bar'
      contracts check`,
    prints: [
      /contract\.md:3:1: error: timeout has a value that is not accepted/,
      /contract\.md:4:1: error: .*npm test.* A shell command needs run: before it/,
      /contract\.md:5:1: error: this reviewer does not exist \(found nobodyy/,
      /contract\.md:6:1: warning: an unknown key: kept, but not used \(found "foo"\)/,
    ],
  },
  {
    name: 'M8: run with an id',
    type: `contracts init > made; task fix --run true --sh true; task other --run true --sh true
      tell contracts run fix`,
    prints: [/fix {2}review → done|contracts run --only fix/],
    never: [/other {2}ready → /],
  },
  {
    name: 'M11: a client that is not installed is not "found"',
    type: `contracts init > made; echo 'adapter: claude' > .contracts/config.yaml
      PATH="$(dirname "$(command -v contracts)"):/usr/bin:/bin" contracts new T --id t --gate person`,
    prints: [/error: `claude`, which runs builder, is not installed/],
    never: [/found claude/],
  },
  {
    name: 'M12: a name that does not exist is refused with the one that was meant, and nothing is written',
    type: `contracts init > made
      for one in '--agent buildr' '--adapter cluade' '--gate persn' '--squad nope'; do
        tell contracts new T --id t --run true $one; done
      ls active_tasks/draft | wc -l`,
    prints: [
      /error: this agent does not exist \(found buildr.*Did you mean builder\?/,
      /found cluade.*Did you mean claude\?/,
      /error: this reviewer does not exist \(found persn.*Did you mean person\?/,
      /found nope/,
      /(\[exit 2\][^]*){4}^ *0$/m,
    ],
    never: [/\[exit [013]/],
  },
  {
    name: 'M12: keys inside of keys of the configuration',
    type: `contracts init > made
      for one in 'parallel: { cluade: 2 }' 'worktree: { setpu: [make] }' 'adapters: { a: { modle: x } }'; do
        echo "$one" > .contracts/config.yaml; tell contracts list; tell contracts step; done
      echo 'parallel: { claude: 2, a: 1 }\nadapters: { a: { run: [x] } }' > .contracts/config.yaml; contracts check`,
    prints: [
      /found parallel\.cluade\)\. Did you mean claude\?/,
      /found worktree\.setpu\)\. Did you mean setup\?/,
      /found adapters\.a\.modle\)\. Did you mean model\?/,
      /^0 errors, 0 warnings/m,
      /(\[exit 0\][^]*\[exit 2\][^]*){3}/,
    ],
  },
  {
    name: 'M16: the report of a wave names who reviewed, and there is one more where the wave ends otherwise',
    type: `contracts init > made; mkdir -p .contracts/agents
      printf -- '---\\nname: taster\\ndescription: tastes\\nadapter: human\\n---\\nTaste.\\n' > .contracts/agents/taster.md
      plan '- [ ] one (verify: run: true, verify: @taster)

  ~~~sh
  echo a > a.txt
  ~~~
- [ ] two (verify: run: true)

  ~~~sh
  echo b > b.txt
  ~~~
## Wave 2
- [ ] three (executor: human)'
      contracts plan start p > made 2>&1; contracts run > ran; contracts approve one > said; contracts run > ran
      contracts step > ran; touch active_tasks/done/*/contract.md; contracts step > ran; ls .contracts/plans/p/runs
      grep '^| \\(one\\|two\\)' .contracts/plans/p/runs/wave-1.md
      contracts answer checkpoint REVIEW > said; contracts run > ran; contracts approve one > said; contracts run > ran
      ls .contracts/plans/p/runs; contracts plan status --report; tail -n 2 .contracts/plans/p/runs/wave-1.2.md`,
    prints: [
      /^wave-1\.md\n\| one .*\| builder \| person \| 1 \+ 2 \|.*\n\| two .*\| builder \|  \| 1 \+ 1 \|/m,
      /^wave-1\.2\.md\nwave-1\.md\nNothing new to report\.$/m,
      /^\| one .*\| person \| 1 \+ 4 \|/m,
    ],
  },
  {
    name: 'M17: a word behind the decision of a checkpoint is no note',
    type: `contracts init > made; plan '- [ ] one (executor: human)
## Wave 2
- [ ] two (executor: human)'
      contracts plan start p > made 2>&1; tell contracts answer checkpoint go on`,
    prints: [/Give it: contracts answer ID GO "…"\n[^]*\[exit 2\]/],
  },
  {
    name: 'M22: a mistake in the configuration does not stop reading',
    type: `contracts init > made; task t --run true --sh true; echo 'parralel: 2' > .contracts/config.yaml
      tell contracts list; tell contracts step`,
    prints: [/Did you mean parallel\?/, /ready {2}t [^]*\[exit 0\][^]*\[exit 2\]/],
  },
  {
    name: 'M23: init of a file',
    type: `touch afile; tell contracts init afile; touch active_tasks; tell contracts init`,
    prints: [/afile: error: this is a file\. Name a folder/, /\[exit 2\][^]*\[exit 2\]/],
    never: [/ENOTDIR|fault/],
  },
];

const LOW: readonly Walk[] = [
  {
    name: 'L4: a wave that is folded says so',
    type: `contracts init > made; plan '- [ ] one (executor: human)
## Wave 2: Cooking
- [ ] two (executor: human)'
      contracts plan start p > made 2>&1; contracts plan status`,
    prints: [/^Wave 2: Cooking {2}0 of 1 done {2}\(--all shows it\)$/m],
  },
  {
    name: 'L5: a box in review.md that is ticked in another way is named',
    type: `contracts init > made; task t --gate person --run true --sh true; contracts run > ran
      for mark in '- [ x ] APPROVED' '- [~] APPROVED' '- [x] OK'; do
        sed -i "s/^- \\[.*\\] [AO].*/$mark/" active_tasks/review/t/review.md; contracts step; done`,
    prints: [
      /review\.md:\d+ has "- \[ x \] APPROVED"; expected - \[x\] APPROVED/,
      /has "- \[~\] APPROVED"/,
      /has "- \[x\] OK"/,
    ],
  },
  {
    name: 'L6: new --from - reads stdin',
    type: `contracts init > made; contract t 'verify: ["run: true"]'
      tell contracts new --from - --id u < active_tasks/draft/t/contract.md`,
    prints: [/active_tasks\/draft\/u\/contract\.md[^]*\[exit 0\]/],
  },
  {
    name: 'L7: confirm warns of the file where it is now',
    type: `contracts init > made; contract t 'foo: bar\\nverify: ["run: true"]'; tell contracts confirm t`,
    prints: [/active_tasks\/ready\/t\/contract\.md:3:1: warning: an unknown key[^]*\[exit 0\]/],
    never: [/draft\/t/],
  },
  {
    name: 'L1: help of a verb below another',
    type: 'contracts help squad new; contracts help squad',
    prints: [/^Usage: contracts squad new /m, /^Usage: contracts squad \[/m],
  },
  {
    name: 'L2: version and -v',
    type: 'tell contracts version; tell contracts -v; tell contracts -v --json',
    prints: [/(\(Did you mean --version\?\)[^]*\[exit 2\][^]*){2}"fix":"Did you mean --version\?/],
  },
  {
    name: 'L8: a filter that names nothing that exists',
    type: `contracts init > made; plan '- [ ] one (executor: human)'; task t --run true --sh true
      for one in active_tasks/*/t; do sed -i '1a tags: [docs]' $one/contract.md; done
      for one in 'list --plan nope' 'list --agent buidler' 'list --tag dosc' 'run --tag dosc' 'list --ids --tag no'; do
        tell contracts $one; done
      tell contracts list --plan p --agent claude; tell contracts list --state aborted,ready --tag docs
      tell contracts list --state aborted,raedy`,
    prints: [
      /there is no plan of this name \(found nope\)[^]*\[exit 2\]/,
      /there is no agent of this name \(found buidler\)\. Did you mean builder\?/,
      /no task has this tag \(found dosc\)\. Did you mean docs\?[^]*no task has this tag[^]*found no\)/,
      /(\[exit 2\][^]*){5}No task matches.*\n\[exit 0\]\nready +t [^]*\[exit 0\]/,
      /found raedy\)\. Did you mean ready\?/,
    ],
  },
  {
    name: 'L10: plan and plan status say the same where there is no plan',
    type: `contracts init > made; tell contracts plan; tell contracts plan status`,
    prints: [/(There is no plan\. Write one: .*\n\[exit 0\]\n){2}/],
  },
  {
    name: 'L11: agents test leaves nothing',
    type: 'contracts init > made; contracts agents test builder; ls -A "$TMPDIR" | grep -c contracts',
    prints: [/^result {3}ok\n0$/m],
  },
  {
    name: 'L11: agents test leaves nothing where it fails',
    type: `contracts init > made; printf 'adapter: bad\\nadapters: { bad: { run: ["false"] } }\\n' > .contracts/config.yaml
      contracts agents test builder; ls -A "$TMPDIR" | grep -c contracts`,
    prints: [/^result {3}no: .*exit 1[^]*^0$/m],
  },
  {
    name: 'L15: -C of a folder that is not there, and of a file',
    type: 'touch afile; tell contracts -C nowhere list; tell contracts -C afile list',
    prints: [
      /nowhere: error: this folder does not exist/,
      /afile: error: this is a file/,
      /\[exit 2\][^]*\[exit 2\]/,
    ],
    never: [/contracts init/],
  },
  {
    name: 'L17: squad create names the error before the next command',
    type: 'contracts init > made; contracts squad create X --id x',
    prints: [
      /error: no agent is configured[^]*Next: correct what the error names, then contracts confirm x/,
    ],
  },
  {
    name: 'L18: receipts.md has each line of output once',
    type: `contracts init > made; task t --run "printf 'a\\nb\\n'; test -e no" --sh true; contracts run > ran
      cat active_tasks/*/t/attempts/0002/receipts.md`,
    prints: [/output: "a\\nb\\n"/],
    never: [/a\n\nb/],
  },
  {
    name: 'L19: init of a folder names it',
    type: 'contracts init foo; ls foo',
    prints: [/^Workspace: .*foo$/m, /^active_tasks$/m],
  },
  {
    name: 'L20: a title without quotes',
    type: 'contracts init > made; tell contracts new Say hello --run true; tell contracts do Say hello',
    prints: [/(put it in quotes[^]*\[exit 2\][^]*){2}/],
  },
  {
    name: 'L21: new --verify means --run',
    type: 'contracts init > made; contracts new T --verify true',
    prints: [/\(Did you mean --run\?\)/],
    never: [/--version/],
  },
];

const LATER: readonly Walk[] = [
  {
    name: 'a mistyped key beside known ones stops a plan',
    type: `contracts init > made
      plan '- [ ] do it (executor: @dev/maker, verfy: \`true\`)'; tell contracts plan start p`,
    prints: [/error: items have no key verfy; did you mean verify\?/, /\[exit 2\]/],
  },
  {
    name: 'a verdict is changed where review.md was emptied',
    type: `contracts init > made; task t --gate person --run true --sh true; contracts run > ran
      : > active_tasks/review/t/review.md
      contracts needs-work t > said; tell contracts approve t; contracts run | tail -n 2`,
    prints: [/wrote .*review\.md[^]*\[exit 0\]/, /t {2}review → done {2}approved by a person/],
  },
  {
    name: 'a script without a check runs once, and then a person approves',
    type: `contracts init > made; contracts new "Append a line" --id t --sh "echo x >> x.txt"
      contracts confirm t > said; contracts run | tail -n 2; wc -l < x.txt
      contracts approve t > said; contracts run | tail -n 1`,
    prints: [
      /^The runner cannot check all of its criteria, so a person must approve the result\.$/m,
      /waits for a verdict in review\.md {2}→ contracts approve t/,
      /^1$/m,
      /^1 task done: t\..* Nothing waits for a person\.$/m,
    ],
  },
  {
    name: 'a script whose criterion no check names runs once, and then a person approves',
    type: `contracts init > made; contract t 'verify: ["run: echo x >> x.txt"]'
      contracts confirm t > said; contracts run | tail -n 2; contracts step; wc -l < x.txt
      grep Gate active_tasks/review/t/review.md; contracts needs-work t "no"; contracts run > ran
      contracts approve t > said; contracts run | tail -n 2; grep -h '^gate' active_tasks/done/t/attempts/*/outcome.md`,
    prints: [
      /waits for a verdict in review\.md {2}→ contracts approve t/,
      /^2$/m,
      /^- Gate: person$/m,
      /^t {2}review → done {2}approved by a person$/m,
      /^1 task done: t\..* Nothing waits for a person\.$/m,
      /^(gate: person\n){4}$/m,
    ],
  },
  {
    name: 'show says that a task was moved to done by hand; retry says where it works',
    type: `contracts init > made; contracts new T --id t --run true --sh true > made
      tell contracts retry t; mv active_tasks/draft/t active_tasks/done/; contracts show t`,
    prints: [
      /cannot retry a task that is in draft \(expected blocked\)/,
      /is done by hand, no receipts {2}→ contracts retry t --again/,
    ],
  },
  {
    name: 'a task that stops at its own criterion offers to edit it',
    type: `contracts init > made; contract t 'verify: ["run: true"]\\nagent: builder'
      sed -i 's/^true$/: result.md/' active_tasks/draft/t/contract.md; contracts confirm t > said; contracts run | tail -n 2`,
    prints: [
      /criterion 1 is not ticked, or is denied, in line \d+ of result\.md: x {2}→ contracts edit t contract, or contracts retry t "…"/,
    ],
  },
  {
    name: 'a task that depends on itself is not confirmed',
    type: `contracts init > made; contracts new T --id t --run true --sh true --depends-on t
      tell contracts confirm t; contracts check`,
    prints: [
      /contract\.md:4:1: error: depends on itself\. Take its own id out/,
      /\[exit 2\]/,
      /^1 error, /m,
    ],
  },
  {
    name: 'the next command names the contract only where the contract is wrong',
    type: `contracts init > made; echo 'adapter: claude' > .contracts/config.yaml
      PATH="$(dirname "$(command -v contracts)"):/usr/bin:/bin" contracts new T --id t --gate person
      echo 'adapter: shell' > .contracts/config.yaml; contracts new T --id u; contracts new T --id v --sh true --depends-on v`,
    prints: [
      /Next: correct what the error names, then contracts confirm t/,
      /Next: correct what the error names, then contracts confirm u/,
      /Next: correct active_tasks\/draft\/v\/contract\.md, then contracts confirm v/,
    ],
  },
  {
    name: 'plan status --report says what it wrote',
    type: `contracts init > made; plan '- [ ] Say it (type: story, files: \`a.txt\`)

  ~~~sh
  echo a > a.txt
  ~~~'
      contracts plan start p > made 2>&1; contracts plan status --report; contracts plan status --report`,
    prints: [/^wrote \.contracts\/plans\/p\/stories\/.*\.md$/m, /^Nothing new to report\.$/m],
  },
  {
    name: 'a link in place of stories/ is reported',
    type: `contracts init > made; plan '- [ ] do it (executor: human)'; mkdir elsewhere
      ln -s ../../../elsewhere .contracts/plans/p/stories; contracts plan check p`,
    prints: [/\.contracts\/plans\/p\/stories: warning: this is a link or a file/],
  },
  {
    name: 'a verdict on a task that is not in review',
    type: 'contracts init > made; task t --gate person; contracts needs-work t "no"',
    prints: [/cannot send back a task that is in draft/],
  },
  {
    name: 'check finds templates that do not compile, and an adapter without a program',
    type: `contracts init > made; mkdir -p .contracts/templates
      echo '{{#if a}}' > .contracts/templates/brief.hbs; echo '{{shout a}}' > .contracts/templates/review.hbs
      echo '{{title}}' > .contracts/templates/blocked.hbs
      echo 'adapters: { mine: { type: command } }' > .contracts/config.yaml; tell contracts check`,
    prints: [
      /\.contracts\/config\.yaml:1:1: error: adapters\.mine has no run, so there is no program/,
      /templates\/brief\.hbs:1:1: error: this template cannot be compiled: Parse error/,
      /templates\/review\.hbs:1:1: error: this template cannot be compiled: .*shout/,
      /^3 errors, 0 warnings[^]*\[exit 1\]/m,
    ],
  },
  {
    name: '~ and variables in the program of an adapter',
    type: `contracts init > made; printf '#!/bin/sh\n' > "$HOME/agent"; chmod +x "$HOME/agent"
      for run in '~/agent' '$HOME/agent' '\${HOME}/agent' '$NOPE/agent'; do
        echo "adapter: mine
adapters: { mine: { type: command, run: ['$run'] } }" > .contracts/config.yaml
        contracts new T --run true --gate person; done`,
    prints: [
      /(Next: contracts confirm [^]*){3}`\$NOPE\/agent`, which runs builder, is not installed/,
    ],
    never: [/not installed[^]*not installed/],
  },
  {
    name: 'the help of squad has no group of other verbs',
    type: 'contracts squad --help',
    prints: [/Commands:\n {2}list/],
    never: [/Look after/],
  },
];

describe.each([
  ['high', HIGH],
  ['medium', MEDIUM],
  ['low', LOW],
  ['found later', LATER],
])('%s', (_, walks) => {
  test.concurrent.for(walks)('$name', async ({ type, prints, never = [] }, { expect }) => {
    const out = await walked(type);
    for (const one of prints) expect(out).toMatch(one);
    for (const one of never) expect(out).not.toMatch(one);
  });
});
