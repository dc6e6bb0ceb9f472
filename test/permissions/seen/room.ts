/**
 * A workspace for one operation: a repository with a remote, a plan with its documents, another task,
 * and an agent that is a program of the shell (`type: command`), which does what its task says, waits until
 * somebody looked from outside, and ends. Each is a copy of one template, so that what one agent did never
 * blurs what another did.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { contracts } from '../../support/binary.ts';
import { putFile, sealedEnv, sealedFolder } from '../../support/sealed-folder.ts';
import { until } from '../../support/until.ts';
import { LOGIN, openForge } from './forge.ts';

/** [agent, whether the matrix allows it, in words, the command, its effect]. */
export type Operation = readonly [string, 'yes' | 'no', string, string, string];

/** In the order of the table's columns. */
export const MODES = [
  ['open tree', 'sandbox: none\nisolation: shared\n'],
  ['tree, sandbox', 'sandbox: bwrap\nisolation: shared\n'],
  ['worktree', 'sandbox: none\nisolation: worktree\n'],
  ['worktree, sandbox', 'sandbox: bwrap\nisolation: worktree\n'],
] as const;
export type Mode = (typeof MODES)[number][0];

/** What one run brought about, as the disk, the remote and the outcome show it. */
export interface Seen {
  readonly took_effect: boolean;
  /** Of the first attempt. */
  readonly outcome: string;
  /** What the outcome says of changes beyond the permissions, a line each. */
  readonly told: readonly string[];
  /** What the command printed, for whoever wonders. */
  readonly said: string;
}

export interface Rooms {
  run(mode: Mode, operation: Operation): Promise<Seen>;
  remove(): Promise<void>;
}

const PLAN = '.contracts/plans/shop';
const TASK = 'task';
const DESK = `active_tasks/.desk/${TASK}.0001`;
const OTHER = 'active_tasks/draft/other/contract.md';

/**
 * `$W` is the workspace, `$P` the folder of the plan. `put` edits a document where it is, or hands it in
 * on the desk where it cannot be written.
 */
const AGENT = `W=\${CONTRACTS_DIR:-$CONTRACTS_ROOT}
P=$W/${PLAN}
put() {
  (echo x >> "$P/$1") 2>/dev/null || {
    d=$CONTRACTS_OUT/documents/plans/shop/$1
    mkdir -p "\${d%/*}" && { cat "$P/$1" 2>/dev/null; echo x; } > "$d"
  }
}
command=$(sed -n 's/^Run this: //p' "$CONTRACTS_BRIEF")
(eval "$command") </dev/null >"$CONTRACTS_OUT/said.txt" 2>&1
echo "exit $?" >>"$CONTRACTS_OUT/said.txt"
echo x > "$CONTRACTS_OUT/did"
until [ -e "$CONTRACTS_OUT/looked" ]; do sleep 0.02; done
printf '%s\\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] It is done' > "$CONTRACTS_OUT/result.md"
`;

/** As gh does: the login is a file of the home. */
const GH = `#!/bin/sh
token=$(sed -n 's/.*oauth_token: //p' "$HOME/.config/gh/hosts.yml") || exit 4
exec node -e '
const [url, token] = process.argv.slice(1);
fetch(url, { method: "POST", headers: { authorization: "token " + token } }).then(
  ({ status }) => process.exit(status === 201 ? 0 : 1),
);' "$(git config remote.origin.url | sed 's,/open/,/pulls/,')" "$token"
`;

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n',
  'src/a.ts': 'export const a = 1;\n',
  'src/a.css': 'a {}\n',
  'docs/x.md': '# X\n',
  'db/migrations/1.sql': 'select 1;\n',
  '.github/workflows/ci.yml': 'on: push\n',
  'tools/agent.sh': AGENT,
};
const DOCUMENTS = [
  ...'plan.md prd.md architecture.md notepad.md stories/1.md adrs/1.md runs/1.md'.split(' '),
  ...'reviews/1.md research/1.md'.split(' '),
];
const CONFIG = `adapter: mine
retries_max: 0
adapters:
  mine: { type: command, run: [sh, tools/agent.sh] }
`;

function contract(agent: string, command: string): string {
  const plan = command.startsWith('put ') ? 'plan: shop\n' : '';
  const head = `v: 1\ntitle: Do it\nagent: ${agent}\n${plan}`;
  return `---\n${head}verify:\n  - run: "true"\n---\n\n# Do it\n\n## Objective\n\nRun this: ${command}\n\n## Success Criteria\n\n- [ ] It is done\n`;
}

export async function makeRooms(): Promise<Rooms> {
  const base = sealedFolder('seen');
  const home = join(base, 'home');
  const put = (path: string, text: string): void => putFile(path, text);
  put(join(home, '.gitconfig'), '[user]\n\tname = P\n\temail = p@example.org\n');
  put(join(base, 'bin', 'gh'), GH);
  fs.chmodSync(join(base, 'bin', 'gh'), 0o755);
  const env = {
    ...sealedEnv(),
    PATH: [join(base, 'bin'), process.env['PATH']].join(delimiter),
    HOME: home,
    XDG_STATE_HOME: join(base, 'state'),
    CONTRACTS_TRUST: '1',
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const gitAt =
    (cwd: string) =>
    (...args: string[]): string =>
      execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  makeTemplate(join(base, 'template'), put, gitAt);
  const forge = await openForge(base);
  put(
    join(home, '.gitconfig'),
    '[user]\n\tname = P\n\temail = p@example.org\n[credential]\n\thelper = store\n',
  );
  const login = `http://${LOGIN.user}:${LOGIN.token}@127.0.0.1:${forge.port}\n`;
  put(join(home, '.git-credentials'), login);
  put(join(home, '.config/gh/hosts.yml'), `127.0.0.1:\n    oauth_token: ${LOGIN.token}\n`);
  let count = 0;
  return {
    run: async (mode, [agent, , , command, effect]) => {
      const name = `r${(count += 1)}`;
      const root = join(base, name, 'ws');
      fs.cpSync(join(base, 'template'), join(base, name), { recursive: true });
      const url = (door: string): string =>
        `http://127.0.0.1:${forge.port}/${door}/${name}/remote.git`;
      fs.appendFileSync(
        join(root, '.git/config'),
        ['open', 'login']
          .map((door) => {
            const remote = door === 'open' ? 'origin' : door;
            return `[remote "${remote}"]\n\turl = ${url(door)}\n\tfetch = +refs/heads/*:refs/remotes/${remote}/*\n`;
          })
          .join(''),
      );
      const config = MODES.find(([one]) => one === mode)?.[1] ?? '';
      put(join(root, '.contracts/config.yaml'), `${config}${CONFIG}`);
      put(join(root, `active_tasks/ready/${TASK}/contract.md`), contract(agent, command));
      const look = (): string =>
        effectIn({
          root,
          git: gitAt(root),
          remote: gitAt(join(base, name, 'remote.git')),
          effect,
        }) + (forge.pull_requests.get(`${name}/remote.git`)?.join() ?? '');
      const before = look();
      const run = contracts(root, ['run', '--json'], [], env);
      const meanwhile = await lookAtEnd(join(root, DESK), run, look);
      const { stdout, stderr } = await run;
      const report = told(root, stdout + stderr);
      // A document that was handed in is put in its place afterwards; later moves of git are the runner's.
      const later = effect.startsWith('file .contracts/') ? look() : before;
      const took_effect = meanwhile !== before || later !== before;
      const seen = { took_effect, ...report };
      if (process.env['KEEP_ROOMS'] === undefined) {
        fs.rmSync(join(base, name), { recursive: true, force: true });
      }
      return seen;
    },
    remove: async () => {
      await forge.close();
      if (process.env['KEEP_ROOMS'] === undefined)
        fs.rmSync(base, { recursive: true, force: true });
    },
  };
}

/** What was there when the agent had done it, while nothing else could touch it. */
async function lookAtEnd(desk: string, run: Promise<unknown>, look: () => string): Promise<string> {
  let ended = false;
  void run.finally(() => (ended = true));
  const did = (): boolean => fs.existsSync(join(desk, 'did'));
  await until('the agent did it, or the run ended', () => did() || ended);
  if (!did()) throw new Error(`the agent was not called: ${JSON.stringify(await run)}`);
  const seen = look();
  fs.writeFileSync(join(desk, 'looked'), '');
  return seen;
}

type Git = (...args: string[]) => string;

/** `main` is one commit before its remote, and `other` has one that is not in it. */
function makeTemplate(
  base: string,
  put: (path: string, text: string) => void,
  gitAt: (cwd: string) => Git,
): void {
  const root = join(base, 'ws');
  for (const [path, text] of Object.entries(FILES)) put(join(root, path), text);
  const git = gitAt(root);
  git('init', '-q', '-b', 'main');
  put(join(root, '.git/info/exclude'), 'active_tasks\n.contracts\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  git('clone', '-q', '--bare', root, join(base, 'remote.git'));
  const remote = gitAt(join(base, 'remote.git'));
  remote('branch', 'old');
  remote('config', 'http.receivepack', 'true');
  git('checkout', '-q', '-b', 'other');
  put(join(root, 'docs/other.md'), '# Other\n');
  git('add', '.');
  git('commit', '-q', '-m', 'other');
  git('checkout', '-q', 'main');
  for (const name of ['main', 'old']) git('update-ref', `refs/remotes/origin/${name}`, 'HEAD');
  git('commit', '-q', '--allow-empty', '-m', 'second');
  for (const name of DOCUMENTS) put(join(root, PLAN, name), `# ${name}\n`);
  put(join(root, OTHER), contract('dev', 'true'));
}

interface Looked {
  readonly root: string;
  readonly git: Git;
  readonly remote: Git;
  readonly effect: string;
}

/**
 * The state of what an operation changes, as text. `file`: in the tree that the agent works in, and for
 * what is not committed in the workspace; `index`, `head`: of that tree; `ref`; `remote`: a ref there.
 */
function effectIn({ root, git, remote, effect }: Looked): string {
  const [kind, name = ''] = effect.split(' ');
  const tree = worktreeOf(git, root);
  const refs = (run: Git, pattern: string): string =>
    run('for-each-ref', '--format=%(refname) %(objectname)', pattern);
  if (kind === 'ref') return refs(git, `refs/${name}`);
  if (kind === 'remote') return refs(remote, `refs/${name}`);
  if (kind === 'pull_request') return '';
  const inTree: Git = (...args) => git('-C', tree, ...args);
  if (kind === 'index') return inTree('diff', '--cached', '--raw');
  if (kind === 'head') return inTree('rev-parse', 'HEAD');
  const path = join(/^(\.contracts|active_tasks)\//.test(name) ? root : tree, name);
  return fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : 'none';
}

/** The workspace itself where there is no other. */
function worktreeOf(git: Git, root: string): string {
  const places = git('worktree', 'list', '--porcelain').matchAll(/^worktree (.*)$/gm);
  return [...places].map((one) => one[1] ?? '').find((one) => one !== root) ?? root;
}

function told(root: string, printed: string): Omit<Seen, 'took_effect'> {
  const tasks = join(root, 'active_tasks');
  const state = fs.readdirSync(tasks).find((one) => fs.existsSync(join(tasks, one, TASK))) ?? '';
  const attempt = join(tasks, state, TASK, 'attempts/0001');
  const read = (name: string): string =>
    fs.existsSync(join(attempt, name)) ? fs.readFileSync(join(attempt, name), 'utf8') : '';
  const text = read('outcome.md');
  const outcome = /^outcome: (\S+)/m.exec(text)?.[1];
  if (outcome === undefined) throw new Error(`nothing ran: ${state}\n${printed}`);
  const listed = (key: string): string[] =>
    (new RegExp(`^${key}:\n((?: +.*\n)+)`, 'm').exec(text)?.[1] ?? '').split('\n').filter(Boolean);
  return {
    outcome,
    told: [...listed('violations'), ...listed('noticed')].map((line) => line.trim()),
    said: read('desk/said.txt'),
  };
}

/** Whether a line of the report is about this effect. */
export function isAbout(effect: string, line: string): boolean {
  const [kind, name = ''] = effect.split(' ');
  return kind === 'file' ? line.includes(name) : /\bgit\b|\brefs\/|\bHEAD\b|\bcommit/.test(line);
}
