/**
 * The files of a squad's agents: those in its `agents/`, and the prompts that are named. All of them lie
 * in the squad's folder, behind no link; what cannot be taken is told at the key that names it.
 */
import { NO_AGENTS } from '../catalog/places.ts';
import { isMember, MEMBERS_MAX } from '../catalog/squad-entries.ts';
import { problem, type Problem } from '../core/problem.ts';
import { inside, listOrNothing } from '../store/tasks.ts';
import { readFrontMatter } from '../text/front-matter.ts';
import type { Located } from '../text/located.ts';
import { readLooseHead } from '../text/loose-head.ts';
import { checkPath } from '../text/paths.ts';
import { readText } from './read-text.ts';
import { placeIn, type Sources } from './squad-note.ts';
import type { SquadPath } from './squad-places.ts';
import type { Workspace } from './workspace.ts';

export interface MemberFile {
  readonly file: string;
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** undefined: the places of its keys are not known. */
  readonly located?: Located;
}

const FOLDER = 'agents';

/** Below the squad's folder, by real folders, and no link. */
export function readPrompt(
  ws: Workspace,
  at: SquadPath,
  named: unknown,
  sources: Sources,
): string | Problem {
  const refused = (message: string): Problem =>
    problem({
      code: 'bad_path',
      ...placeIn(sources, 'prompt_file'),
      message: `its prompt_file cannot be taken: ${message}`,
      found: typeof named === 'string' ? named : JSON.stringify(named),
      expected: 'a file in the folder of the squad',
      fix: `Write it below ${at.file}/, and name it from there`,
    });
  if (typeof named !== 'string') return refused('it is no path');
  const path = named.replace(/^\.\//, '');
  const wrong = checkPath(path);
  if (wrong !== undefined) return refused(wrong);
  const found = inside(ws.disk, at.path, path);
  if (!found.ok) return refused(found.why);
  const text = readText(ws.disk, found.path, `${at.file}/${path}`, { single_link: false });
  if (!text.ok) return text.problems[0] ?? refused('it cannot be read');
  const front = readFrontMatter(text.value, `${at.file}/${path}`);
  return front.ok ? front.value.body : text.value;
}

/** Names to paths of the files in `agents/`; a folder of that name behind a link has none. */
export function memberFiles(ws: Workspace, at: SquadPath): ReadonlyMap<string, string> {
  const folder = `${at.path}/${FOLDER}`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return new Map();
  const names = listOrNothing(ws.disk, folder).flatMap(({ name, kind }) => {
    const stem = name.endsWith('.md') ? name.slice(0, -'.md'.length) : '';
    return kind === 'folder' || NO_AGENTS.has(name) || !isMember(stem) ? [] : [stem];
  });
  return new Map(
    names
      .toSorted()
      .slice(0, MEMBERS_MAX)
      .map((name) => [name, `${FOLDER}/${name}.md`]),
  );
}

export function readMemberFile(
  ws: Workspace,
  at: SquadPath,
  path: string,
): MemberFile | readonly Problem[] {
  const file = `${at.file}/${path}`;
  const text = readText(ws.disk, `${at.path}/${path}`, file, { single_link: false });
  if (!text.ok) return text.problems;
  const front = readFrontMatter(text.value, file);
  if (front.ok) {
    return { file, head: front.value.head, body: front.value.body, located: front.value };
  }
  const loose = readLooseHead(text.value);
  return loose === undefined ? front.problems : { file, ...loose };
}
