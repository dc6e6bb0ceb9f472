/** A task with live child tasks, as the ledger shows it. Files are real; nothing is called. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { childTaskId } from '../../src/delegation/core/child-rules.ts';
import { calls } from '../../src/delegation/engine/calls.ts';
import { readBoard } from '../../src/engine/board/board.ts';
import { sha256 } from '../../src/task/store/disk/hash.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(() => void (world = makeWorld()));

const OUTCOME =
  '---\nv: 1\nattempt: 1\nkind: work\noutcome: delegated\nreason: so\nat: "2026-11-21T12:00:00Z"\nagent: builder\nenforced: []\nchanged: []\n---\n';
const put = (path: string, text: string): void => world.write(`active_tasks/${path}`, text);
const child = (title: string, agent: string): string =>
  `---\nv: 1\nparent: chief\nagent: ${agent}\n---\n\n# ${title}\n`;

test('its children in their order, with title and agent also of those that ended', () => {
  const [words, pictures] = ['words', 'pictures'].map((name) =>
    childTaskId('chief', 1, name, sha256),
  );
  put('ready/chief/contract.md', '---\nv: 1\n---\n\n# The whole\n');
  put('ready/chief/attempts/0001/outcome.md', OUTCOME);
  for (const name of ['words', 'pictures'])
    put(`ready/chief/attempts/0001/desk/children/${name}.md`, child(name, 'qa'));
  put(`in_progress/${words}/contract.md`, child('Find words', 'writer'));
  put(`ready/${pictures}/contract.md`, child('Draw', 'painter'));
  put('ready/alone/contract.md', '# Alone\n');
  const { ws } = world.process({});
  const is = () => calls.ledger?.(ws, readBoard(ws).tasks);
  const find = { id: words, title: 'Find words', agent: 'writer', state: 'in_progress' };
  const draw = { id: pictures, title: 'Draw', agent: 'painter', state: 'ready' };
  expect(is()).toEqual({ epics: [{ id: 'chief', title: 'The whole', tasks: [draw, find] }] });
  const at = (path: string): string => join(world.root, 'active_tasks', path);
  renameSync(at(`ready/${pictures}`), at(`done/${pictures}`));
  const drawn = { id: pictures, title: 'Draw', agent: 'painter', state: 'done' };
  expect(is()).toEqual({ epics: [{ id: 'chief', title: 'The whole', tasks: [drawn, find] }] });
  renameSync(at(`done/${pictures}`), at(`../${pictures}`));
  const gone = { id: pictures, title: 'pictures', agent: '', state: 'unknown' };
  expect(is()).toEqual({ epics: [{ id: 'chief', title: 'The whole', tasks: [gone, find] }] });
  renameSync(at(`in_progress/${words}`), at(`aborted/${words}`));
  expect(is()).toEqual({ epics: [] });
});
