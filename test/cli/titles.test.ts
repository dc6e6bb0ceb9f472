/** Titles in other scripts through ids, folders, list, board, show and brief, at 80 and 120 columns. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { isTaskId } from '../../src/task/core/model/id.ts';
import { commandRoom } from '../support/command-room.ts';

const TITLES = {
  Korean: '결제 모듈의 취약점을 찾아서 고치기',
  Chinese: '修复支付模块中的安全漏洞并编写测试',
  Arabic: 'إصلاح ثغرات وحدة الدفع وكتابة الاختبارات',
  emoji: '🙂👩‍👩‍👧‍👦 🚀🚀🚀',
  mixed: '로그인 API를 v2로 옮기기 🔐',
  decomposed: '결제를 고치기'.normalize('NFD'),
};

test.for(Object.entries(TITLES))('%s', async ([, title]) => {
  const room = commandRoom('adapter: human\n');
  for (const more of ['', ' 2']) {
    const made = await room.said(
      'new',
      title + more,
      '--criterion',
      title,
      '--agent',
      'qa',
      '--gate',
      'person',
    );
    expect(made.code, made.err).toBe(0);
  }
  const ids = readdirSync(join(room.root, 'active_tasks/draft'));
  expect(ids).toHaveLength(2);
  expect(ids.filter((id) => !isTaskId(id))).toEqual([]);
  for (const columns of [80, 120]) {
    for (const verb of ['list', 'list --board', 'status']) {
      const { out } = await room.seen(columns, verb);
      const wide = out.split('\n').filter((line) => stringWidth(line) > columns);
      expect(wide, verb).toEqual([]);
    }
  }
  const [id = ''] = ids;
  expect((await room.said('list')).out).toContain(title);
  expect((await room.said('show', id)).out).toContain(title);
  expect((await room.said('show', id, '--brief')).out).toContain(title);
  expect(JSON.parse((await room.said('list', '--json')).out.split('\n')[0] ?? '')).toMatchObject({
    event: 'task',
  });
  // The same as items of a plan, whose tasks are found again.
  room.write(
    '.contracts/plans/p/plan.md',
    `# ${title}\n\n- [ ] **${title}** (executor: @qa, verify: @person)\n- [ ] **${title} 2** (executor: @qa, verify: @person, results: 1)\n`,
  );
  const started = await room.said('plan', 'start', 'p');
  expect(started.code, started.err).toBe(0);
  expect(readdirSync(join(room.root, 'active_tasks/ready'))).toHaveLength(2);
  expect((await room.said('plan', 'start', 'p')).out).toContain('2 tasks of it already exist');
  const team = await room.said('team', 'start', 'research', title, '--name', 'team');
  expect(team.code, team.err).toBe(0);
  expect((await room.said('plan', 'status', 'team')).out).toContain(title);
});
