/** Assumptions gain by tasks that passed with them in their brief, and lose by those that came back. */
import { beforeEach, expect, test } from 'vitest';
import { assumptionsRoom } from '../room.ts';

let room = assumptionsRoom();
beforeEach(() => void (room = assumptionsRoom('assumptions: tell\n')));

const assume = (id: string, more = ''): void =>
  room.write(
    `.contracts/assumptions/${id}.md`,
    `---\nkind: assumption\ninformation: Prices are in ${id}\nconfidence: 0.8\nplan: shop\n${more}---\n`,
  );
/** In the order of a list or a brief. */
const named = (text: string): readonly string[] =>
  [...text.matchAll(/Prices are in (\w+)/g)].map(([, id = '']) => id);

test('a task that came back and then passed counts on both sides', async () => {
  assume('euros');
  room.task('one', '', 'plan: shop\nquality_gate: person\n');
  await room.said('run');
  await room.said('needs-work', 'one', 'Look again');
  await room.said('run');
  expect(room.read('.contracts/assumptions/euros.md')).toMatch(/^returned:\n {2}- one$/m);
  expect((await room.said('memory', 'assumptions')).out).toContain(
    'weight 0.33: of the tasks briefed with it, 0 passed and 1 came back',
  );
  await room.said('approve', 'one');
  await room.said('run');
  const { out } = await room.said('memory', 'assumptions', '--json');
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({
    id: 'euros',
    passed: 1,
    came_back: 1,
    weight: 0.5,
  });
});

test('lists and briefs show the heaviest first, and equals as before', async () => {
  assume('crowns', 'returned: [x, y]\n');
  assume('dollars');
  assume('euros');
  assume('francs', 'uses: [d1]\n');
  assume('guilders', 'returned: 5\nuses: [.nan, gone]\n');
  room.write('active_tasks/done/d1/contract.md', '# D\n');
  const order = ['francs', 'dollars', 'euros', 'guilders', 'crowns'];
  room.task('one');
  await room.said('run');
  expect(named(room.read('brief-one.md'))).toEqual(order);
  expect(named((await room.said('memory', 'assumptions')).out)).toEqual(order);
});
