/**
 * A new kind of check is one entry in each of two tables (docs/architecture.md). In a copy of this project
 * `file_absent` gets its fields alone, and the compiler names the rest; with it, the kind works everywhere.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = fs.readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const TABLES = ['src/task/core/model/checks.ts', 'src/engine/verify/check-files.ts'] as const;
/** The entry of the page for that table, without what a new kind needs. */
const entryFor = (table: string): string =>
  new RegExp(`^\`${table}\`:\n\n\`\`\`ts\n([^]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1] ?? '';
const [FACTS, LOOK] = TABLES.map(entryFor) as [string, string];
const FIELDS = /fields: \{.*?\}/.exec(FACTS)?.[0] ?? '';

let copy: string;
let named: readonly (readonly [string, string])[];
let left: readonly unknown[];

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });

/** The text before which the entry of a table goes. */
function plant(table: string, before: string, entry: string): void {
  const text = fs.readFileSync(join(ROOT, table), 'utf8');
  expect(text.split(before)).toHaveLength(2);
  putFile(
    join(copy, table),
    text.replace(before, () => `${entry.trimEnd()}\n${before}`),
  );
}

/** What the compiler finds missing, each with its file. */
function missing(): (readonly [string, string])[] {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noEmit'];
  // What the first call has seen is not looked at again by the second.
  const seen = ['--incremental', '--tsBuildInfoFile', 'types.json'];
  const { stdout } = run(...tsc, '--emitDeclarationOnly', 'false', ...seen);
  const found = stdout.split(/^(?=\S+\(\d+,\d+\): error)/m).filter((one) => one.trim() !== '');
  return found.flatMap((one) => {
    const [file = ''] = one.split('(');
    const all = /missing the following properties from type .*?: (.*)$/m
      .exec(one)?.[1]
      ?.split(', ');
    const single = /Property '(\w+)' is missing in type/.exec(one)?.[1];
    return (all ?? [single ?? one]).map((name) => [file, name] as const);
  });
}

function contracts(work: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(copy, 'dist/bin/contracts.cjs'), '--dir', work, ...args],
    {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, CONTRACTS_TRUST: '1', XDG_CACHE_HOME: join(copy, 'cache') },
    },
  );
  return stdout + stderr;
}

beforeAll(() => {
  copy = sealedFolder('new-check');
  const names = ['src', 'templates', 'schemas', 'scripts', 'package.json', 'tsconfig.json'];
  for (const name of [...names, 'tsconfig.build.json'])
    fs.cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  fs.symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  plant(TABLES[0], '  named: {', `  file_absent: { ${FIELDS} },`);
  named = missing();
  plant(TABLES[0], '  named: {', FACTS);
  plant(TABLES[1], '  file_exists: lookForFile,', LOOK);
  left = missing();
  const code = "await (await import('./scripts/bundle.mjs')).bundleCommand(process.cwd());";
  run('--input-type=module', '--eval', code);
});

test('of a kind with its fields alone, the compiler names exactly what is missing', () => {
  const facts = [...FACTS.replace(FIELDS, '').matchAll(/(\w+): (?!\{)/g)].map(([, name]) => name);
  expect(facts).toHaveLength(3);
  const all = [...facts.map((name) => [TABLES[0], name]), [TABLES[1], 'file_absent']];
  expect(new Set(named.map(String))).toEqual(new Set(all.map(String)));
  expect(left).toEqual([]);
});

const PLAN = `# Plan: Tidy

## Tasks

- [ ] **Remove it** (executor: @builder, verify: file_absent: old.txt)
- [ ] **Look again** (executor: @builder)
  - **Verification**: file_absent: old.txt
`;
const ENTRY = 'file_absent: old.txt';

test.each(['none', 'auto'])('it works from the entry to the receipt, with sandbox: %s', (how) => {
  const work = sealedFolder('new-check');
  const call = (...args: readonly string[]): string => contracts(work, ...args);
  const textsOf = (folder: string, name: string): string[] =>
    fs
      .readdirSync(join(work, 'active_tasks', folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(`/${name}`))
      .toSorted()
      .map((path) => fs.readFileSync(join(work, 'active_tasks', folder, path), 'utf8'));
  putFile(join(work, '.contracts/config.yaml'), `sandbox: ${how}\nadapter: human\n`);
  putFile(join(work, '.contracts/plans/tidy/plan.md'), PLAN);
  putFile(join(work, 'old.txt'), 'old\n');
  call('init');
  // The second attempt removes it: from inside of the sandbox, where there is one.
  const sh = 'if [ -e new.txt ]; then rm old.txt; fi; date > new.txt';
  const criterion = ['--criterion', '`old.txt` is gone'];
  call('new', 'Move it', '--run', ENTRY, ...criterion, '--deliverable', 'new.txt', '--sh', sh);
  expect(call('check')).toContain('0 errors, 0 warnings');
  call('confirm', 'move-it');
  call('step');
  call('step');
  const briefs = textsOf('done', 'brief.md');
  expect(briefs.map((text) => text.split('\n').includes(`- ${ENTRY}`))).toEqual([true, true]);
  const receipts = textsOf('done', 'receipts.md').map((text) => text.split('\n- [').slice(1)[0]);
  expect(receipts.map((text) => text?.replace(/, \d+ ms\n?$/, ''))).toEqual([
    ` ] ${ENTRY} — it is there, as before the work`,
    `x] ${ENTRY} — passed`,
  ]);
  call('plan', 'start', 'tidy');
  const planned = [...textsOf('ready', 'contract.md'), ...textsOf('draft', 'contract.md')];
  expect(planned.map((text) => text.includes(`\nverify:\n  - "${ENTRY}"\n`))).toEqual([true, true]);
  expect(call('new', 'Ask', '--adapter', 'human', '--run', 'file_absence: old.txt')).toMatch(
    / file_absent:, .*Did you mean file_absent\?/,
  );
});

test('a criterion that says the opposite is not proved by it', async () => {
  const { isProved } = (await import(join(copy, 'src/task/core/model/criterion-check.ts'))) as {
    isProved: (...args: readonly unknown[]) => boolean;
  };
  const contract = {
    checks: [{ kind: 'file_absent', path: 'old.txt' }],
    head: { deliverables: [] },
  };
  const proved = (text: string) => isProved(contract, { text }, () => true);
  expect(['is gone', 'is there', 'exists'].map((end) => proved(`\`old.txt\` ${end}`))).toEqual([
    true,
    false,
    false,
  ]);
});
