/** Documents in a squad's folder. The runner reads only items of checklists, and follows no link. */
import { dirname, parse } from 'node:path';
import type { CheckOf } from '../../task/core/model/checks.ts';
import type { Squad } from '../core/squad.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { itemText } from '../../task/text/documents/contract-body.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { boxItemsOf } from '../../task/text/markdown/sections.ts';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const FOLDERS = ['tasks', 'templates', 'checklists', 'workflows'] as const;
type Folder = (typeof FOLDERS)[number];
const FILES_MAX = 40;

/** Relative to its folder. */
export function squadDocuments(ws: Workspace, squad: Squad): readonly string[] {
  return FOLDERS.flatMap((folder) => filesIn(ws, squad, folder));
}

/** Paths that people can open. */
export function documentsToRead(ws: Workspace, squad: Squad): readonly string[] {
  const own = squadDocuments(ws, squad).map((file) => shownIn(squad, file));
  return [...own, ...(squad.base ? documentsToRead(ws, squad.base) : [])].slice(0, FILES_MAX);
}

/** `file` is relative to the squad's folder; `description` may be empty. */
type Workflow = Readonly<Record<'file' | 'path' | 'description', string>>;

export function workflowsOf(ws: Workspace, squad: Squad): readonly Workflow[] {
  const own = filesIn(ws, squad, 'workflows').map((file) => {
    const path = `${squad.folder}/${file}`;
    const text = readText(ws.disk, path, file, { single_link: false });
    const yaml = text.ok && /\.ya?ml$/.test(file) ? readYaml(text.value, file) : undefined;
    const about = yaml?.ok === true ? yaml.value.head['description'] : undefined;
    const description = typeof about === 'string' ? about.replace(/\s+/g, ' ').trim() : '';
    return { file, path: shownIn(squad, file), description };
  });
  return squad.base ? [...own, ...workflowsOf(ws, squad.base)] : own;
}

/** By name; without a name the only one, else the one of a deliverable, else `done`. */
export function checklistIn(
  ws: Workspace,
  squad: Squad,
  check: CheckOf<'gate'>,
  deliverables: readonly string[],
): CheckOf<'gate'> {
  const { name } = check;
  const all = filesIn(ws, squad, 'checklists');
  const names = name === undefined ? [...deliverables, 'done'] : [`${name}.md`];
  const named = names.map((one) => all.find((file) => parse(file).name === parse(one).name));
  const file = name === undefined && all.length === 1 ? all[0] : named.find(Boolean);
  const text = file && readText(ws.disk, `${squad.folder}/${file}`, file, { single_link: false });
  if (!text && squad.base) return checklistIn(ws, squad.base, check, deliverables);
  if (!text || !text.ok) return name === undefined ? check : { ...check, items: [] };
  const items = boxItemsOf(scanMarkdown(text.value)).map(itemText);
  return { ...check, file: shownIn(squad, file), items };
}

function shownIn({ file: yaml }: Squad, file: string): string {
  return `${dirname(yaml)}/${file}`;
}

function filesIn(ws: Workspace, { folder }: Squad, name: Folder): readonly string[] {
  if (ws.disk.stat(`${folder}/${name}`)?.kind !== 'folder') return [];
  return listOrNothing(ws.disk, `${folder}/${name}`)
    .filter((entry) => entry.kind === 'file' && !entry.name.startsWith('.'))
    .map((entry) => `${name}/${entry.name}`)
    .toSorted();
}
