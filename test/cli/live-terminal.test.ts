/**
 * What a person sees who stays before the terminal, of 80 columns, while agents run: the live lines,
 * drawn by the built command in a real terminal (tmux). Without tmux it says so and is left out.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { width } from '../../src/cli/output/text-width.ts';
import { init } from '../../src/engine/setup/init.ts';
import { realMachine } from '../../src/process/machine.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { runInTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const CLOCK = fileURLToPath(new URL('../support/clock-ahead.cjs', import.meta.url));
const CELLS = 80;

const missing = terminalMissing();
if (missing !== undefined) console.log(`LEFT OUT: the tests of live lines, because ${missing}`);

let root: string;
let at: Terminal | undefined;
beforeEach(() => {
  root = sealedFolder('live');
  init(realDisk, root);
});

const ahead = (seconds: number): void => writeFileSync(join(root, 'ahead'), String(seconds));
const go = (name: string): void => writeFileSync(join(root, name), '');
const status = (step: string): string =>
  `printf -- '- Status: IN_PROGRESS\\n- Current Step: ${step}\\n' > "$CONTRACTS_OUT/status.md"`;
const waitFor = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done`;

function ready(id: string, ...steps: string[]): void {
  const check = `run: test -s ${id}.txt`;
  const head = `---\ntitle: Work of ${id}\ncomplexity: low\nverify: ["${check}"]\n---\n`;
  const body = `## Success Criteria\n\n- [ ] ${check}\n\n## Steps\n\n\`\`\`sh\n`;
  const sh = [...steps, `echo x > ${id}.txt`].join('\n');
  mkdirSync(join(root, 'active_tasks/ready', id));
  writeFileSync(
    join(root, 'active_tasks/ready', id, 'contract.md'),
    `${head}\n${body}${sh}\n\`\`\`\n`,
  );
}

/** The line of a task that is drawn again and again: it has no arrow and no number of a list. */
function liveLine(screen: string, id: string): string | undefined {
  return screen.split('\n').findLast((line) => line.startsWith(`${id} `) && line.includes('#1'));
}

/** What is in this file, once it is there. */
async function written(path: string): Promise<string> {
  await until(path, () => existsSync(join(root, path)));
  return readFileSync(join(root, path), 'utf8');
}

describe.runIf(missing === undefined)('live lines at 80 columns', () => {
  test('a terminal that is closed stops the agent, and the attempt is recorded', async () => {
    ready('long', 'echo x > agent', 'sleep 600');
    at = runInTerminal(root, ['run'], { cells: CELLS });
    await at.shows('long ', '#1');
    await written('agent');
    await at.close();
    const outcome = await written('active_tasks/ready/long/attempts/0001/outcome.md');
    expect(outcome).toMatch(/^outcome: interrupted$/m);
  });

  test('Ctrl-C stops the agent, and the last lines say what waits and how to continue', async () => {
    ready('asks', 'printf "## Questions\\n\\n1. How?\\n" > "$CONTRACTS_OUT/questions.md"; exit');
    ready('long', 'echo $$ > pid; mv pid agent', 'sleep 600');
    at = runInTerminal(root, ['run', '--parallel', '2'], { cells: CELLS });
    await at.shows('long ', '#1', 'in_progress → questions');
    const pid = Number(await written('agent'));
    at.press('C-c');
    expect(await at.ended()).toBe(130);
    const screen = at.screen();
    const last = screen.slice(screen.indexOf('long  in_progress → ready'));
    expect(last).toMatch(/^asks +questions: asks a question: How\? +→ contracts answer asks$/m);
    expect(last).toContain('Stopped by you; contracts run continues.');
    expect(liveLine(last, 'long')).toBeUndefined();
    expect(realMachine().identify(pid)).toBeUndefined();
    const outcome = await written('active_tasks/ready/long/attempts/0001/outcome.md');
    expect(outcome).toMatch(/^outcome: interrupted$/m);
  });

  test('MOCK clock: what status.md says, LAGGING after 30 s of silence, and that it goes on', async () => {
    ready(
      'pages',
      status('reads the old pages'),
      waitFor('on'),
      status(`writes ${'世界 '.repeat(40)}`),
      waitFor('end'),
    );
    ready('quiet', waitFor('end'));
    const env = { NODE_OPTIONS: `--require ${CLOCK}`, CONTRACTS_TEST_AHEAD: join(root, 'ahead') };
    at = runInTerminal(root, ['run'], { cells: CELLS, env });
    await at.shows('reads the old pages', 'quiet ');
    expect(liveLine(at.screen(), 'pages')).toMatch(
      /^pages +in_progress +#1 +\ds +reads the old pages$/,
    );
    ahead(40);
    const terminal = at;
    await at.shows('LAGGING');
    // Of its own line: the other one may be a second ahead of it.
    await until(() => liveLine(terminal.screen(), 'pages')?.includes('LAGGING 4') === true);
    expect(liveLine(terminal.screen(), 'pages')).toMatch(
      /^pages +in_progress +#1 +4\ds +LAGGING \d+s +reads the old pages$/,
    );
    go('on');
    const writes = await at.shows('writes 世界');
    expect(liveLine(writes, 'pages')).toMatch(/^pages +in_progress +#1 +4\ds +writes 世界.*…$/);
    expect(width(liveLine(writes, 'pages') ?? '')).toBeLessThan(CELLS);
    expect(liveLine(writes, 'quiet')).toContain('LAGGING');
    go('end');
    expect(await at.ended()).toBe(0);
    const last = at.screen();
    for (const id of ['pages', 'quiet']) expect(liveLine(last, id)).toBeUndefined();
    expect(last).toContain('→ done');
    expect(readFileSync(join(root, 'pages.txt'), 'utf8')).toBe('x\n');
  });
});
