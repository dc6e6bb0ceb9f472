/**
 * What `contracts plan check` says of a plan.md: the place of each thing that is wrong and the words that
 * help. Plans are written into a folder of this test's own; nobody is called.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../src/cli/program.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contracts-plan-check-'));
  mkdirSync(join(root, '.contracts'));
  writeFileSync(join(root, '.contracts/config.yaml'), 'adapter: human\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function said(...argv: string[]) {
  let [out, err] = ['', ''];
  const streams = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const env = { PATH: '', HOME: join(root, 'home') };
  const code = await main(['-C', root, ...argv], streams, { env });
  return { code, out, err };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Problems of the plan as `line:col severity: words`. */
async function checked(text: string): Promise<string[]> {
  write('.contracts/plans/p/plan.md', text);
  const { out } = await said('plan', 'check', 'p');
  return out.split('\n').flatMap((line) => {
    const [, place, words] = /^\.contracts\/plans\/p\/plan\.md:(\d+:\d+): (.*)$/.exec(line) ?? [];
    return place === undefined ? [] : [`${place} ${words}`];
  });
}

const ITEM = '- [ ] Do it (executor: @dev, files: `a.txt`)';

/** The plan, and how the one thing that is said of it begins and what it must say. */
const CASES: readonly (readonly [what: string, plan: string, begins: string, says: string])[] = [
  ['a squad', `# P\n\nSquad: nowhere\n\n${ITEM}\n`, '3:1 error: there is no such squad', 'nowhere'],
  [
    'a squad in the title',
    `\n# P (squad: nowhere)\n\n${ITEM}\n`,
    '2:1 error: there is no',
    'nowhere',
  ],
  [
    'a squad in front matter',
    `---\ntitle: P\nsquad: nowhere\n---\n${ITEM}\n`,
    '3:1 error: there is no',
    'nowhere',
  ],
  [
    'an agent at checkpoints',
    `# P\nCheckpoint: @nobody\n\n## Wave 1\n${ITEM}\n\n## Wave 2\n- [ ] Go on (files: \`b.txt\`)\n`,
    '2:1 error: nobody knows this agent',
    '@nobody',
  ],
  [
    'a type of contract',
    `# P\n\nContract Type: poem\n\n${ITEM}\n`,
    '3:1 warning: this type of contract is not known',
    'poem',
  ],
];

test.each(CASES.map(([what, plan, begins, says]) => ({ what, plan, begins, says })))(
  '$what',
  async ({ plan, begins, says }) => {
    const found = await checked(plan);
    expect(found).toHaveLength(1);
    expect(found[0]?.slice(0, begins.length)).toBe(begins);
    expect(found[0]).toContain(says);
  },
);
