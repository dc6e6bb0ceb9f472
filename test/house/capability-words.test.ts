/**
 * Engine and foundations do not speak of capabilities, outside of the extension points. The files that
 * still do are listed below: the list only gets shorter.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const BELOW =
  'task process git clients workspace agents trust worktrees permissions sandbox engine'.split(' ');
/** Where capabilities join. */
const POINTS = new Set(
  'capability complete-contract routes verb kinds'
    .split(' ')
    .map((name) => `workspace/tasks/${name}.ts`),
);
/** Facts of clients: folders that they have themselves, such as one for plans. */
const OF_CLIENT = /^clients\/\w+\/record\.ts$/;
/** Words of the library that reads JSON, for the nodes in a node. */
const OF_JSON = 'engine/setup/json-edit.ts';
const WORDS = {
  plan: /\bplans?\b|\bplan_/i,
  squad: /squad/i,
  checkpoint: /checkpoint/i,
  child: /\bchildren\b|\bchild tasks?\b|\bchild_made\b/i,
} as const;

const KNOWN: Readonly<Record<keyof typeof WORDS, string>> = {
  plan: `
    agents/core/head-permissions.ts
    engine/board/board.ts
    engine/cache/known-task.ts
    engine/cache/row.ts
    engine/core/decide/admission.ts
    engine/core/decide/schedule.ts
    engine/preflight/criteria.ts
    engine/preflight/executor.ts
    engine/queries/list.ts
    engine/queries/listing.ts
    engine/step/glance.ts
    engine/step/step-report.ts
    engine/step/step.ts
    permissions/core/roles.ts
    permissions/engine/enforce/brief-section.ts
    task/core/lines/event-lines.ts
    task/core/lines/shared-lines.ts
    task/core/model/contract-shape.ts
    task/core/model/permissions.ts
    task/core/model/policy.ts
    task/core/model/problem.ts
    task/store/snapshots/fingerprint.ts
    task/store/tasks/layout.ts
  `,
  squad: `
    agents/core/places.ts
    agents/engine/roles.ts
    engine/brief/brief.ts
    engine/preflight/preflight.ts
    permissions/core/roles.ts
    permissions/engine/audit/mark-untrusted.ts
    permissions/engine/enforce/brief-section.ts
    task/core/model/checks.ts
    task/core/model/contract-shape.ts
    task/core/model/criterion-check.ts
    task/core/model/policy.ts
    task/core/model/problem.ts
    task/text/documents/verify-entry.ts
  `,
  checkpoint: `
    engine/core/judge/judge.ts
    permissions/core/file-effects.ts
    task/core/attempts/record.ts
    task/core/model/contract-shape.ts
  `,
  child: `
    engine/board/relations.ts
    engine/brief/brief.ts
    engine/commands/abort.ts
    engine/core/decide/decide-ready.ts
    engine/core/events/command-lines.ts
    engine/core/judge/judge.ts
    engine/core/words/waits.ts
    engine/queries/show.ts
    engine/step/facts.ts
    engine/work/evidence.ts
    process/gate.ts
    task/core/lines/event-lines.ts
    task/core/model/task.ts
    task/core/model/transitions.ts
    task/core/model/wait-codes.ts
  `,
};

const files = BELOW.flatMap((folder) =>
  readdirSync(`${SRC}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
).filter((path) => !POINTS.has(path) && !OF_CLIENT.test(path) && path !== OF_JSON);

function speaking(word: RegExp, text: (path: string) => string): readonly string[] {
  return files.filter((path) => word.test(text(path))).sort();
}

const textOf = (path: string): string => readFileSync(SRC + path, 'utf8');

test.each(Object.entries(WORDS))('%s: only the known files speak of it', (name, word) => {
  const known = KNOWN[name as keyof typeof WORDS].split(/\s+/).filter((path) => path !== '');
  expect(speaking(word, textOf)).toEqual(known.sort());
});

test('the lists only get shorter', () => {
  const all = Object.values(KNOWN).flatMap((list) => list.trim().split(/\s+/));
  expect(all, 'none is added; where one is gone, lower the number').toHaveLength(55);
});

test.each(Object.entries(WORDS))('%s: a planted file is found', (name, word) => {
  const [first = ''] = files;
  const planted = (path: string): string =>
    path === first ? `// Its ${name === 'child' ? 'children' : name}.` : '';
  expect(speaking(word, planted)).toEqual([first]);
});
