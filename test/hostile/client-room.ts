/**
 * A home and a workspace for agents that are called by the real adapters of the clients, with a script in the client's
 * place: what it does is read from the home afterwards. By the built command, as root or as an ordinary user.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { ordinaryUser } from '../support/as-user.ts';
import { BINARY } from '../support/binary.ts';
import { sandboxWorks } from '../support/clients.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { survivors } from '../support/survivors.ts';
import { until } from '../support/until.ts';

export type Client = 'claude' | 'codex' | 'gemini' | 'opencode';

/** Of a home: what sessions outside obey, run or source. */
export const OBEYED: Readonly<Record<Client, readonly string[]>> = {
  claude: `.claude/settings.json .claude/settings.local.json .claude/CLAUDE.md .claude/agents/x.md .claude/skills/x/SKILL.md
    .claude/plugins/installed_plugins.json .claude/commands/x.md .claude/hooks/x.sh .claude/output-styles/x.md
    .claude/rules/x.md .claude/keybindings.json .claude/.config.json .claude/remote-settings.json .claude/local/claude
    .claude/daemon.json .claude/jobs/x .claude/shell-snapshots/snapshot-bash-1.sh .claude/ide/1.lock
    .claude/statusline.sh .claude/projects/SLUG/memory/MEMORY.md .claude/workflows/x.js .claude/backups/x .claude.json`,
  codex: `.codex/config.toml .codex/hooks.json .codex/AGENTS.md .codex/AGENTS.override.md .codex/rules/x.rules
    .codex/skills/x/SKILL.md .codex/prompts/x.md .codex/plugins/x .codex/agents/x.toml .codex/.env .codex/environments.toml
    .codex/packages/standalone/current/bin/codex .codex/tmp/arg0/x/apply_patch .codex/shell_snapshots/x.sh
    .codex/memories/x.md .codex/notify.sh`,
  gemini: `.gemini/settings.json .gemini/GEMINI.md .gemini/extensions/x/gemini-extension.json .gemini/commands/x.toml
    .gemini/policies/x.toml .gemini/agents/x.md .gemini/skills/x/SKILL.md .gemini/hooks/x.sh .gemini/trustedFolders.json
    .gemini/trusted_hooks.json .gemini/.env .gemini/system.md .gemini/tmp/bin/rg .gemini/sandbox.bashrc .gemini/mine.sh`,
  opencode: `.config/opencode/opencode.json .config/opencode/plugin/x.js .config/opencode/plugins/x.js
    .config/opencode/AGENTS.md .config/opencode/agents/x.md .config/opencode/commands/x.md .config/opencode/tools/x.ts
    .config/opencode/node_modules/x/index.js .config/opencode/package.json .local/share/opencode/bin/gopls
    .local/share/opencode/snapshot/x/config .local/state/opencode/plugin-meta.json .cache/opencode/bin/rg
    .cache/opencode/node_modules/x/index.js .cache/opencode/packages/x/index.js`,
} as unknown as Record<Client, readonly string[]>;
for (const [type, text] of Object.entries(OBEYED)) {
  Object.assign(OBEYED, { [type]: String(text).trim().split(/\s+/) });
}
/** There only where it was before: nobody can know its name. */
export const NAMED_BY_SETTINGS = /statusline\.sh|notify\.sh|mine\.sh/;

export const LOGIN: Readonly<Record<Client, string>> = {
  claude: '.claude/.credentials.json',
  codex: '.codex/auth.json',
  gemini: '.gemini/oauth_creds.json',
  opencode: '.local/share/opencode/auth.json',
};
export const SESSION: Readonly<Record<Client, string>> = {
  claude: '.claude/projects/SLUG/one.jsonl',
  codex: '.codex/sessions/2026/one.jsonl',
  gemini: '.gemini/tmp/shop/chats/one.jsonl',
  opencode: '.local/share/opencode/opencode.db-wal',
};
export const CLIENTS = Object.keys(LOGIN) as Client[];

const AGENT = `#!/bin/sh
case "$*" in *--version*) echo 9.9.9; exit 0;; esac
. "$1"
printf '# Result\\n\\n- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is done\\n' > "$CONTRACTS_OUT/result.md"
`;

export const user = ordinaryUser('claude');

export interface Room {
  readonly room: string;
  readonly root: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** Slashes of a project's name in Claude's folder. */
  at(path: string): string;
  put(path: string, text: string): void;
  /** Below the home, with what it says or leads to. */
  look(): Record<string, string>;
  outcome(id?: string): string;
}

export function makeRoom(type: Client, attack: string, over?: 'acp'): Room {
  const room = sealedFolder('settings');
  const [root, home] = [join(room, 'shop'), join(room, 'home')];
  const slug = root.replace(/[^a-zA-Z0-9]/g, '-');
  const at = (path: string): string => path.replace('SLUG', slug);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  };
  mkdirSync(home);
  mkdirSync(join(room, 'tmp'));
  mkdirSync(root);
  execFileSync(process.execPath, [BINARY, 'init', '--dir', root], { stdio: 'ignore' });
  const name = over === undefined ? type : `${type}-acp`;
  write(join(room, 'bin', name), AGENT);
  write(join(room, 'bin/attack.sh'), attack.replaceAll('SLUG', slug));
  const program = join(room, 'bin', name);
  write(
    join(root, '.contracts/config.yaml'),
    `sandbox: bwrap\nadapter: me\nadapters:\n  me: { type: ${over ?? type}, run: [${program}, ${join(room, 'bin/attack.sh')}] }\n`,
  );
  for (const id of ['one', 'two']) {
    const text = `---\nv: 1\ntitle: ${id}\nretries_max: 0\nwrite: [${id}/**]\n---\n\n# ${id}\n\n## Success Criteria\n\n- [ ] It is done\n`;
    write(join(root, 'active_tasks', id === 'one' ? 'ready' : 'draft', id, 'contract.md'), text);
  }
  /** What the runner takes away while it is looked at is not there. */
  const entriesOf = (folder: string) =>
    existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const find = (folder: string, below = ''): [string, string][] =>
    entriesOf(folder).flatMap((entry): [string, string][] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const inner = find(path, `${below}${entry.name}/`);
        return inner.length > 0 ? inner : [[`${below}${entry.name}/`, '']];
      }
      const text = entry.isFile() ? readFileSync(path, 'utf8') : 'a link';
      return [[`${below}${entry.name}`, text]];
    });
  return {
    room,
    root,
    home,
    env: {
      ...sealedEnv(),
      HOME: home,
      TMPDIR: join(room, 'tmp'),
      // Compiled code is kept beside the home, which is compared.
      XDG_CACHE_HOME: `${home}-cache`,
      CONTRACTS_TRUST: '1',
    },
    at,
    put: (path, text) => write(join(home, at(path)), text),
    look: () => Object.fromEntries(find(home)),
    outcome: (id = 'one') => {
      const files = readdirSync(join(root, 'active_tasks')).flatMap((state) =>
        ['0001', '0002'].map((number) =>
          join(root, 'active_tasks', state, id, 'attempts', number, 'outcome.md'),
        ),
      );
      return readFileSync(files.find((file) => existsSync(file)) ?? '/nothing', 'utf8');
    },
  };
}

export function step(one: Room, ordinary: boolean): void {
  const before = ordinary ? user.before : [];
  if (ordinary) user.own(one.room);
  const [program = '', ...argv] = [
    ...before,
    process.execPath,
    ordinary ? user.binary : BINARY,
    '-C',
    one.root,
    'step',
  ];
  const said = spawnSync(program, argv, { env: one.env, cwd: one.root, encoding: 'utf8' });
  expect(`${said.stdout}${said.stderr}`).not.toMatch(/fault/);
}

/** The one that takes the stand-ins away waits for the end of the sandbox, and the runner does not wait for it. */
export async function settled(one: Room): Promise<Record<string, string>> {
  const left = (): string =>
    survivors(one.room, 0)
      .map(({ command }) => command)
      .join('\n');
  await until('the end of all that ran in the room', () => left() === '', left);
  // The person's own key, what is kept beside it, and the journal: no sandbox shows them (test/trust/signed-receipts.test.ts).
  const all = Object.entries(one.look());
  return Object.fromEntries(
    all.filter(
      ([name]) =>
        !/^\.local\/state\/contracts\/(?:keys\/(?:ed25519\.pem|root-only\.json)|trust\/[^/]*\/wrote-[\d-]*\.log)$/.test(
          name,
        ),
    ),
  );
}

export const here = sandboxWorks() && sandboxWorks(user.before);
