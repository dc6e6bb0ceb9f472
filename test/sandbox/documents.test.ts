/**
 * Real programs in a real sandbox, in the shared tree and in a worktree: nothing below `.contracts/` can be
 * written, and what is handed in on the desk is put in place. Without bubblewrap it says so and is left out.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { makeStand, scriptOf, type Stand } from '../support/confined.ts';

const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: documents in a sandbox, because ${here.why}`);
const inSandbox = test.runIf(here.works);

const PLAN = '.contracts/plans/spring';
let one: Stand;
afterEach(() => one.remove());

function stand(): void {
  vi.unstubAllEnvs();
  one = makeStand('bwrap');
  vi.stubEnv('HOME', one.home);
  one.write(`${PLAN}/notepad.md`, 'Kept.\n');
}

inSandbox.each(['shared', 'worktree'])(
  '%s: dev updates its story and the notepad',
  async (tree) => {
    stand();
    const desk = '"$CONTRACTS_OUT/documents/plans/spring"';
    const head = `type: story\nagent: dev\nadapter: shell\nplan: spring\nisolation: ${tree}`;
    const deeds = {
      direct: `echo x >> ${PLAN}/notepad.md`,
      absolute: `echo x >> ${one.root}/${PLAN}/notepad.md`,
      given: `rm "$CONTRACTS_OUT/../../in_progress/build/attempts/0001/documents/plans/spring/notepad.md"`,
      story: `sed -i "s/^## Dev Notes/&\\n\\nBy dev./" ${desk}/stories/build.md`,
      notepad: `echo "Ask once." >> ${desk}/notepad.md`,
      code: 'echo x > src/built.txt',
    };
    one.task('build', head, scriptOf(deeds));
    await one.step();
    expect(one.deeds('build')).toEqual({
      direct: false,
      absolute: false,
      given: false,
      story: true,
      notepad: true,
      code: true,
    });
    expect(one.read(`${PLAN}/notepad.md`)).toBe('Kept.\nAsk once.\n');
    expect(one.read(`${PLAN}/stories/build.md`)).toContain('\n\nBy dev.\n');
    const brief = one.read(`${one.attempt('build')}/desk/brief.md`);
    const named = `${one.root}/active_tasks/.desk/build.0001/documents/plans/spring`;
    expect(brief).toContain(`- Story: \`${named}/stories/build.md\``);
    expect(brief).toContain(`- Notepad of the plan: \`${named}/notepad.md\``);
  },
);

const ROLES = 'plan pm sm po qa analyst architect build squad-creator librarian'.split(' ');

inSandbox.each(ROLES)('%s can write nothing below .contracts/', async (agent) => {
  stand();
  one.write(`${PLAN}/stories/other.md`, 'Other.\n');
  one.write('.contracts/squads/mine/SQUAD.yaml', 'description: Mine\n');
  const deeds = {
    notepad: `echo x >> ${PLAN}/notepad.md`,
    story: `echo x >> ${PLAN}/stories/other.md`,
    file: `touch ${PLAN}/new.md`,
    plan: 'mkdir .contracts/plans/other',
    squad: 'echo x >> .contracts/squads/mine/SQUAD.yaml',
    memory: 'mkdir -p .contracts/memory/x',
    settings: 'touch .contracts/new.yaml',
  };
  const allowed = { desk: 'echo x > "$CONTRACTS_OUT/note.txt"' };
  one.task(
    'try',
    `agent: ${agent}\nadapter: shell\nplan: spring`,
    scriptOf({ ...deeds, ...allowed }),
  );
  await one.step();
  const done = Object.entries(one.deeds('try')).filter(([, did]) => did);
  expect(done.map(([name]) => name)).toEqual(['desk']);
});

inSandbox('squad-creator hands in a squad, which a file in its contract proves', async () => {
  stand();
  const file = '.contracts/squads/legal/SQUAD.yaml';
  const head = `agent: squad-creator\nadapter: shell\ndeliverables: [${file}]\nverify: [{ file_exists: ${file} }]`;
  const desk = '"$CONTRACTS_OUT/documents/squads/legal"';
  one.task('squad', head, `mkdir -p ${desk} && echo "description: Law" > ${desk}/SQUAD.yaml`);
  const said = await one.step();
  expect(one.read(file)).toBe('description: Law\n');
  expect(said).toContain(`check passed: file_exists: ${file}`);
  expect(one.read(`${one.attempt('squad', '0002')}/outcome.md`)).toContain(
    'outcome: awaits_person',
  );
});

inSandbox('in a worktree a deliverable of the plan is found where it was put', async () => {
  stand();
  const file = `${PLAN}/research/market.md`;
  const head = `agent: analyst\nadapter: shell\nplan: spring\nisolation: worktree\ndeliverables: [${file}]\nverify: [{ file_exists: ${file} }]`;
  const desk = '"$CONTRACTS_OUT/documents/plans/spring/research"';
  one.task('look', head, `mkdir -p ${desk} && echo "Small." > ${desk}/market.md`);
  const said = await one.step();
  expect(one.read(file)).toBe('Small.\n');
  expect(said).toContain(`check passed: file_exists: ${file}`);
  expect(one.read(`${one.attempt('look', '0002')}/outcome.md`)).toContain('outcome: awaits_person');
});
