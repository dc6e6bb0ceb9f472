/** The workflow compare with real programs in real worktrees: checks decide what a person sees, and the person picks. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

const CONFIG = `adapters:
  good: { type: command, run: [sh, tools/good.sh] }
  bad: { type: command, run: [sh, tools/bad.sh] }
`;
const agent = (answer: number) => `echo ${answer} > answer.txt
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] \`npm test\` passes: yes\\n' > "$CONTRACTS_OUT/result.md"
`;

test('one agent passes and waits for a person, the other is sent back and stops', async () => {
  const room = commandRoom(CONFIG);
  room.write('tools/good.sh', agent(3));
  room.write('tools/bad.sh', agent(4));
  room.write('package.json', '{ "scripts": { "test": "grep -q 3 answer.txt" } }\n');
  room.write('.gitignore', 'active_tasks/\nhome/\n.contracts/plans/\n');
  const git = (...argv: string[]) =>
    execFileSync('git', [
      '-C',
      room.root,
      '-c',
      'user.name=n',
      '-c',
      'user.email=n@example.org',
      ...argv,
    ]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  const made = await room.said(
    'plan',
    'new',
    '--workflow',
    'compare',
    'a=good',
    'b=bad',
    'write the answer',
    '--name',
    'p',
  );
  expect(made.code, made.err).toBe(0);
  const started = await room.said('plan', 'start', 'p');
  expect(started.code, started.err).toBe(0);
  expect(started.out).toContain('good');
  const ran = await room.said('run');
  expect(room.states(), ran.out + ran.err).toEqual({ first: 'review', second: 'blocked' });
  const story = await room.said('show', 'first');
  expect(story.out).toContain('passed run: npm test');
  expect((await room.said('approve', 'first')).code).toBe(0);
  expect((await room.said('abort', 'second')).code).toBe(0);
  await room.said('run');
  expect(room.states()).toEqual({ first: 'done', second: 'aborted' });
});
