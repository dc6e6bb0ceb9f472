/** The points where agents are called: verbs that call none do not load them. */
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { posix } from 'node:path';
import { fields } from '../../task/core/base/json.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { commentedJson } from '../../task/text/yaml/commented-json.ts';
import { diffTree } from '../../engine/attempt/attempt-diff.ts';
import { worktreeOf } from '../../worktrees/engine/worktree.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { routeOf, type Article } from '../../workspace/tasks/routes.ts';
import { reminder } from '../core/constitution.ts';

export const calls: CallPoints = {
  documents: () => ({ folder: 'squads', shown: [] }),
  check: async (ws, { root, contract, path }) =>
    (await import('./check-squad.ts')).invalidSquad(ws, root, contract, path),
  remind: remindOf,
};

/** Sees of the articles in the work what a machine can (docs/reference/squads.md#the-constitution). */
function remindOf(running: Running, folder: string): readonly Problem[] {
  const { ws, contract, kind } = running;
  if (contract?.head.squad === undefined) return [];
  const articles = routeOf(ws, contract)?.articles ?? [];
  const unseen = articles.filter(({ number }) => number === 'I' || number === 'IV');
  const file = shown(ws.layout, `${folder}/contract.md`);
  const found = unseen.map(({ says }) => says).join('; ');
  return [
    ...leavingImports(
      running,
      folder,
      articles.filter(({ number }) => number === 'VI'),
    ),
    // The same for each task, so only for whoever reviews.
    ...(kind === 'review' && found !== ''
      ? [reminder('not_checked', unseen, { file, found })]
      : []),
  ];
}

const SHOWN_MAX = 10;
const SOURCE = /\.(?:[jt]sx?|mjs)$/;

function leavingImports({ ws, id }: Running, folder: string, articles: readonly Article[]) {
  const { attempts } = readAttempts(ws, folder, id);
  const ends = attempts.flatMap(({ outcome }) => outcome ?? []);
  const isCode = ends.some(({ changed }) => changed.some((path) => SOURCE.test(path)));
  if (articles.length === 0 || !isCode) return [];
  const patch = diffTree(ws, folder, attempts, ['--patch', '--unified=0']) ?? '';
  const root = worktreeOf(ws, id) ?? ws.layout.root;
  const all = importsIn(patch).filter(({ file }) => usesNames(ws, root, posix.dirname(file)));
  const [first] = all;
  if (first === undefined) return [];
  const places = all.slice(0, SHOWN_MAX).map(({ file, line, from }) => `${file}:${line} ${from}`);
  const found = `${places.join(', ')}${all.length > SHOWN_MAX ? ', …' : ''}`;
  // Some may be lines of a task that was worked on at the same time.
  const isSure = ends.every(({ beside = [] }) => beside.length === 0);
  const held = articles.map((one) => (isSure ? one : { ...one, strength: 'warn' as const }));
  return [reminder('relative_import', held, { file: first.file, line: first.line, found })];
}

/** Bounded everywhere, since agents write these lines. */
const LEAVING =
  /^\+(?!\s*(?:\/\/|\*)).*?\b(?:from|import|require)\s{0,9}\(?\s{0,9}(["'])((?:\.\/)?\.\.(?:\/[^"']*)?)\1/;

/** In the lines that a patch without context adds. */
function importsIn(patch: string) {
  let [file, line] = ['', 0];
  return patch.split('\n').flatMap((text) => {
    file = /^\+\+\+ "?b\/(.+?)"?\t?$/.exec(text)?.[1] ?? file;
    const at = /^@@ \S+ \+(\d+)/.exec(text)?.[1];
    line = at === undefined ? line + (text.startsWith('+') ? 1 : 0) : Number(at) - 1;
    const from = SOURCE.test(file) ? LEAVING.exec(text)?.[2] : undefined;
    return from === undefined ? [] : [{ file, line, from }];
  });
}

/** True if settings in this folder or one above it define names for imports. */
function usesNames(ws: Workspace, root: string, folder: string): boolean {
  const isHere = ['tsconfig.json', 'jsconfig.json', 'package.json'].some((name) => {
    const place = inside(ws.disk, root, posix.join(folder, name));
    const text = place.ok ? textIfThere(ws.disk, place.path) : undefined;
    const { imports, compilerOptions } = fields(commentedJson(text ?? ''));
    const { paths, baseUrl } = fields(compilerOptions);
    return [imports, paths, baseUrl].some((one) => one !== undefined);
  });
  return isHere || (folder !== '.' && usesNames(ws, root, posix.dirname(folder)));
}
