/**
 * A mutant without any one nonce check, fence, look or gate must fail at least one test. Each is a
 * small change to a copy of the source, on which the other tests are run, cheapest first, in a pid
 * namespace of its own: a mutant of the gate or of the fence must not reach other people's processes.
 * The syncs are mutated by test/engine/durability.test.ts, at every run.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { MUTANTS as OF_THE_CORE } from '../support/mutant-list.ts';
import { PLAN_MUTANTS } from '../support/plan-mutants.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const MUTANTS = [...OF_THE_CORE, ...PLAN_MUTANTS];

/** Cheapest first: most mutants go no further than the first. */
const TESTS: readonly string[] = ['test/task/store', 'test/process', 'test/cases', 'test/engine'];

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const copy = sealedFolder('mutants');
const may = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
if (!may) console.log('LEFT OUT: the mutants, because unshare --pid is not allowed here');

beforeAll(() => {
  for (const name of [
    'src',
    'test',
    'templates',
    'schemas',
    'scripts',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'vitest.config.ts',
  ]) {
    cpSync(join(HERE, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(HERE, 'node_modules'), join(copy, 'node_modules'));
});

function inside(command: readonly string[]): number {
  const all = ['--pid', '--fork', '--mount-proc', '--kill-child', ...command];
  return spawnSync('unshare', all, { cwd: copy, stdio: 'ignore', timeout: 900_000 }).status ?? 1;
}

/** Those of these folders call no built program. */
const UNBUILT = /^test\/(task\/store|process)\b/;

/** The first tests that fail; undefined when the mutant survives all of them. */
function killer(likely: readonly string[]): string | undefined {
  let built = false;
  return [...likely, ...TESTS].find((path) => {
    if (!built && !UNBUILT.test(path)) {
      // Types may be wrong in a mutant.
      const code = "await (await import('./scripts/bundle.mjs')).bundleCommand(process.cwd());";
      inside([process.execPath, '--input-type=module', '--eval', code]);
      built = true;
    }
    return inside(['npx', 'vitest', 'run', '--bail', '1', path]) !== 0;
  });
}

test.runIf(may)('the tests pass on the copy without a mutation', () => {
  const all = new Set(MUTANTS.flatMap(({ killers }) => killers));
  expect(killer([...all])).toBeUndefined();
});

test.runIf(may).each(MUTANTS)('killed: $name', ({ file, killers, text, instead }) => {
  const path = join(copy, 'src', file);
  const source = readFileSync(path, 'utf8');
  expect(source.split(text).length, `the text of the mutant occurs once in ${file}`).toBe(2);
  writeFileSync(
    path,
    source.replace(text, () => instead),
  );
  try {
    const by = killer(killers);
    console.log(`${file}: killed by ${by ?? 'NOBODY'}`);
    expect(by).toBeDefined();
  } finally {
    writeFileSync(path, source);
  }
});
