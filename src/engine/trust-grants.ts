/**
 * What of a workspace runs outside of a sandbox, or loosens one: what a person is asked about, and asked
 * again only where there is more of it. Agents, skills, squads, templates and contracts are not in it:
 * whom they call is confined, and contracts are confirmed. What is not understood counts whole.
 */
import { join } from 'node:path';
import { sha256 } from '../store/hash.ts';
import { SETTINGS } from '../store/layout.ts';
import { bytesAt } from '../store/sight.ts';
import { listOrNothing } from '../store/tasks.ts';
import { commentedJson } from '../text/commented-json.ts';
import { agentsOf } from './agent-book.ts';
import { pushGrant, type Grant } from './push-grant.ts';
import type { Workspace } from './workspace.ts';

const WORDS_MAX = 2000;
const BYTES_MAX = 1024 * 1024;
const DEPTH_MAX = 4;

/** Of the project, in which the four clients name programs: hooks, MCP servers, plugins, helpers. */
const JSON_FILES = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.codex/hooks.json',
  '.gemini/settings.json',
  'opencode.json',
  'opencode.jsonc',
  '.opencode/opencode.json',
  '.opencode/opencode.jsonc',
];
const WHOLE = ['.codex/config.toml'];
const FOLDERS = [
  '.opencode/plugin',
  '.opencode/plugins',
  '.opencode/tool',
  '.opencode/tools',
  '.gemini/extensions',
  '.gemini/policies',
];
/** Keys that start nothing; of permissions the lists that grow with each answer of a person. */
const HARMLESS = new Set(
  (
    '$schema model models small_model theme ui language outputStyle cleanupPeriodDays attribution ' +
    'includeCoAuthoredBy general context privacy ide agent agents command mode permissions.allow ' +
    'permissions.ask permissions.deny'
  ).split(' '),
);

export function clientFiles(): readonly string[] {
  return [...JSON_FILES, ...WHOLE, ...FOLDERS];
}

export function grantsOf(ws: Workspace): readonly Grant[] {
  const { on_state, sandbox, adapters } = ws.config;
  const own = Object.entries(adapters).flatMap(([name, { run, env }]) => [
    ...(run === undefined ? [] : [grant(`adapters.${name}.run`, JSON.stringify(run))]),
    ...(env ?? []).map((one) => grant(`adapters.${name}.env`, one)),
  ]);
  return [
    ...(on_state === undefined ? [] : [grant('on_state', JSON.stringify(on_state))]),
    // The strictest one is nothing to ask about; from there to the usual one is.
    ...(sandbox === 'bwrap' ? [] : [{ ...grant('sandbox', sandbox), usual: sandbox === 'auto' }]),
    ...own,
    ...JSON_FILES.flatMap((file) => ofJson(ws, file)),
    ...WHOLE.flatMap((file) => ofText(ws, file)),
    ...FOLDERS.flatMap((folder) => ofFolder(ws, folder, DEPTH_MAX)),
  ];
}

/** Agents that may push get the person's keys to do so. Reads the file of each. */
export function pushGrants(ws: Workspace): readonly Grant[] {
  const book = agentsOf(ws);
  return book
    .names()
    .flatMap((name) => (book.isPlain(name) ? [] : pushGrant(name, book.get(name))));
}

function grant(what: string, words: string, file = `${SETTINGS}/config.yaml`): Grant {
  const digest = sha256(words);
  const all = words.length <= WORDS_MAX ? '' : `… (${words.length} characters in all)`;
  return { what, words: words.slice(0, WORDS_MAX) + all, digest, file };
}

function ofJson(ws: Workspace, file: string): readonly Grant[] {
  const text = textAt(ws, file);
  if (text === undefined) return [];
  const found = commentedJson(text);
  if (!(found instanceof Object) || Array.isArray(found)) return [grant(file, text, file)];
  const kept = without(found, '');
  return Object.keys(kept).length === 0 ? [] : [grant(file, JSON.stringify(kept), file)];
}

function without(found: object, above: string): object {
  const left = Object.entries(found).flatMap(([key, value]): [string, unknown][] => {
    if (HARMLESS.has(above + key)) return [];
    if (above !== '' || key !== 'permissions' || !(value instanceof Object)) return [[key, value]];
    const inner = without(value, 'permissions.');
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(left);
}

function ofText(ws: Workspace, file: string): readonly Grant[] {
  const lines = (textAt(ws, file) ?? '').split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !/^(?:#|model\w*\s*=)/.test(line)).join('\n');
  return said === '' ? [] : [grant(file, said, file)];
}

function ofFolder(ws: Workspace, folder: string, depth: number): readonly Grant[] {
  const { disk, layout } = ws;
  const kind = disk.stat(join(layout.root, folder))?.kind;
  if (kind === undefined) return [];
  if (kind !== 'folder') return [grant(folder, textAt(ws, folder) ?? 'cannot be read', folder)];
  if (depth === 0) return [grant(folder, 'too deep to be looked at', folder)];
  return listOrNothing(disk, join(layout.root, folder)).flatMap(({ name }) =>
    ofFolder(ws, `${folder}/${name}`, depth - 1),
  );
}

/** undefined where there is nothing; what cannot be read is said in its place. */
function textAt({ disk, layout }: Workspace, file: string): string | undefined {
  const path = join(layout.root, file);
  const stat = disk.stat(path);
  if (stat === undefined) return undefined;
  const bytes = stat.kind === 'file' ? bytesAt(disk, path, BYTES_MAX) : undefined;
  if (bytes !== undefined) return Buffer.from(bytes).toString('utf8');
  return `cannot be read: ${disk.link?.(path) ?? stat.kind}`;
}
