/**
 * Each kind of fault, brought about for real: the built command says it, ends by itself with exit code 3, and
 * leaves no process behind. What keeps the event loop busy after a fault would make it live on for ever.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULT_CODES, type FaultCode } from '../../src/task/core/model/problem.ts';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { startContracts } from '../support/binary.ts';
import { processesOf } from '../support/sandbox-runs.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

interface Cause {
  readonly config?: string;
  readonly head?: string;
  /** Its steps; `true` when left out. */
  readonly sh?: string;
  /** More files, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** In the workspace, before the command. */
  readonly before?: string;
  /** In front of the command. */
  readonly under?: readonly string[];
  readonly path?: (root: string) => string;
  readonly env?: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

const path = process.env['PATH'] ?? '';
/** The first call is the probe of the machine: that one passes. */
const BWRAP = `#!/bin/sh
[ -e "$0.used" ] || { : > "$0.used"; exit 0; }
echo 'bwrap: Creating new namespace failed: No space left on device' >&2
exit 1
`;

const CAUSES: Readonly<Record<FaultCode, Cause>> = {
  disk: { under: ['sh', '-c', 'ulimit -f 0; exec "$@"', 'sh'], says: /EFBIG/ },
  tree: {
    before: 'rm -r active_tasks/in_progress && echo x > active_tasks/in_progress',
    says: /in_progress is a link or a file/,
  },
  workspace: { sh: 'rm -rf "$CONTRACTS_ROOT"', says: /was moved or removed/ },
  template: { files: { '.contracts/templates/brief.hbs': '{{#if' }, says: /brief\.hbs/ },
  adapter: {
    config: 'adapter: own\nadapters: { own: { run: [sh, "{{model}}"] } }\n',
    head: 'title: Try\nmodel: "-c"',
    says: /would be read as an option/,
  },
  program: { path: (root) => join(root, 'nowhere'), says: /no sh in PATH/ },
  sandbox: {
    config: 'sandbox: bwrap\n',
    files: { 'bin/bwrap': BWRAP },
    // Beside the workspace: one in it is never taken.
    before: 'mv bin "$PWD-bin"',
    path: (root) => `${root}-bin:${path}`,
    says: /the sandbox could not be created: Creating new namespace failed/,
  },
  network: {
    config: 'network: none\n',
    head: 'title: Try\nverify: ["run: git ls-remote https://example.invalid/x"]',
    env: { CONTRACTS_SANDBOX: '' },
    says: /network: none/,
  },
  git: {
    config: 'isolation: worktree\n',
    before:
      'git init -q && git config user.name A && git config user.email a@example.org && git add -A && git commit -qm x && rm -rf .git/objects/??',
    says: /git/,
  },
  trust: { env: { CONTRACTS_TRUST: '' }, says: /not trusted yet/ },
  login: {
    config: 'adapter: claude\nadapters: { claude: { run: [sh, .contracts/agent.sh] } }\n',
    files: {
      '.contracts/agent.sh': `echo '{"type":"result","subtype":"success","is_error":true,"result":"Not logged in · Please run /login"}'; exit 1\n`,
    },
    says: /logged in|login/i,
  },
};

function project({ config = '', head = 'title: Try', sh = 'true', files, before }: Cause): string {
  const root = sealedFolder('fault');
  init(realDisk, root);
  const all = {
    '.contracts/config.yaml': config,
    'active_tasks/ready/try/contract.md': `---\nv: 1\n${head}\n---\n\n# Try\n\n## Success Criteria\n\n- [ ] It is done\n\n## Steps\n\n\`\`\`sh\n${sh}\n\`\`\`\n`,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    putFile(join(root, name), text);
    chmodSync(join(root, name), 0o755);
  }
  if (before !== undefined) execFileSync('sh', ['-c', before], { cwd: root });
  return root;
}

test.each(FAULT_CODES)('%s: `run` and `step` say it and end', async (code) => {
  const cause = CAUSES[code];
  for (const verb of ['run', 'step']) {
    const root = project(cause);
    const env = {
      ...process.env,
      HOME: join(root, 'home'),
      PATH: cause.path?.(root) ?? path,
      ...cause.env,
    };
    const { ended } = startContracts(root, [verb, '--json'], cause.under, env);
    const { code: exit, signal, stdout, stderr } = await ended;
    const said = stdout.split('\n').filter((line) => line.includes('"event":"fault"'));
    expect([verb, exit, signal, stderr], stdout).toEqual([verb, 3, null, '']);
    expect(said.join('\n')).toContain(`"code":"${code}"`);
    expect(said.join('\n')).toMatch(cause.says);
    expect(processesOf(root)).toEqual([]);
  }
});
