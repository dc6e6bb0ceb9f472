/**
 * Plans by the built command, with real files: from a list of boxes to tasks that are done, started
 * again, paused, and seen.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contracts } from './support/binary.ts';
import { checkedLines } from './support/json-lines.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contracts-plan-'));
  for (const folder of ['.contracts', 'active_tasks']) mkdirSync(join(root, folder));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function plan(name: string, text: string): void {
  write(`.contracts/plans/${name}/plan.md`, text);
}

function tasks(state: string): string[] {
  try {
    return readdirSync(join(root, 'active_tasks', state)).sort();
  } catch {
    return [];
  }
}

function contractOf(state: string, begin: string): string {
  const id = tasks(state).find((one) => one.startsWith(begin));
  return readFileSync(join(root, 'active_tasks', state, id ?? begin, 'contract.md'), 'utf8');
}

const FLAT = `# A flat list

- [ ] Write \`a.txt\` (verify: file_exists)

  \`\`\`sh
  echo a > a.txt
  \`\`\`

- [ ] Write b (files: b.txt, verify: \`run: test -s b.txt\`, depends: 1)

  \`\`\`sh
  cat a.txt a.txt > b.txt
  \`\`\`

- [x] Done by hand
`;

describe('a flat list', () => {
  test('is started, worked on and done; started again, it makes nothing', async () => {
    plan('flat', FLAT);
    const dry = await contracts(root, ['plan', 'start', '--dry-run']);
    expect(dry.code, dry.stderr).toBe(0);
    expect(tasks('ready')).toEqual([]);
    const started = await contracts(root, ['plan', 'start', 'flat']);
    expect(started.code, started.stderr).toBe(0);
    expect(started.stdout).toContain('Made 2 tasks in ready; 1 item closed by hand');
    expect(tasks('ready')).toHaveLength(2);
    expect(contractOf('ready', 'flat_write-b_')).toContain('- flat_write-a-txt_');
    const ran = await contracts(root, ['run']);
    expect(ran.code, ran.stdout).toBe(0);
    expect(tasks('done')).toHaveLength(2);
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('a\na\n');
    const again = await contracts(root, ['plan', 'start', 'flat', '--json']);
    const lines = checkedLines(again.stdout);
    expect(lines.at(-1)).toMatchObject({ event: 'plan_started', made: 0, there: 2, closed: 1 });
    const status = await contracts(root, ['plan', 'status']);
    expect(status.stdout).toContain('3 of 3 done, 100%');
  });
});
