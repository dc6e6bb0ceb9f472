/** The effects of a client's tool call. An unknown tool has none that can be judged. */
import type { ChangeKind } from '../../task/core/model/permissions.ts';
import { fields as fieldsOf, isFields, type Fields } from '../../task/core/base/json.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

export type ToolEffect =
  | {
      readonly kind: 'file';
      readonly change: Extract<ChangeKind, 'write' | 'delete'>;
      readonly path: string;
      /** The later content, where the call shows it; undefined where the edit does not apply. */
      readonly after?: (before: string) => string | undefined;
    }
  | { readonly kind: 'shell'; readonly command: string; readonly cwd?: string }
  | { readonly kind: 'unreadable'; readonly why: string };

/** In lower case, letters only: Write, write_file and writeFile are one. */
const WRITERS = new Set(
  (
    'write writefile writetextfile fswritetextfile createfile create edit editfile multiedit notebookedit replace ' +
    'strreplace strreplacebasededittool searchreplace insert append move rename delete deletefile removefile'
  ).split(' '),
);
const PATCHES = new Set(['applypatch', 'patch', 'applydiff']);
const SHELLS = new Set(
  'bash shell localshell execcommand runshellcommand runcommand execute terminal writestdin'.split(
    ' ',
  ),
);

export function toolEffects(tool: string, input: unknown): readonly ToolEffect[] {
  const ofServer = /^mcp_/i.test(tool);
  const name = ofServer ? nameOfServer(tool) : letters(tool);
  const fields = fieldsOf(input);
  // A tool of a server counts only where it means files here: with a repository they are elsewhere.
  if (ofServer && (pathsOf(fields).length === 0 || 'repo' in fields)) return [];
  if (SHELLS.has(name)) return shellOf(fields, input);
  if (PATCHES.has(name)) return patchOf(fields, input);
  if (!WRITERS.has(name)) return [];
  const paths = pathsOf(fields);
  if (paths.length === 0) {
    const text = textOf(fields, 'patchText', 'patch', 'diff');
    if (text?.includes('*** ') === true) return patchOf(fields, input);
    return [{ kind: 'unreadable', why: `${tool} names no file` }];
  }
  const change = /delete|remove/.test(name) ? 'delete' : 'write';
  const to = textOf(fields, 'new_path', 'newPath', 'destination', 'to');
  const moved = to !== undefined && /move|rename/.test(name);
  const after = afterOf(fields);
  return [
    ...paths.map((path): ToolEffect => ({
      kind: 'file',
      change: moved ? 'delete' : change,
      path,
      ...(after === undefined ? {} : { after }),
    })),
    ...(moved ? [{ kind: 'file', change: 'write', path: to } as const] : []),
  ];
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** `mcp__server__write_file`, also with single underscores: the longest known end. */
function nameOfServer(tool: string): string {
  const parts = tool.split('_');
  const ends = [3, 2, 1].map((count) => letters(parts.slice(-count).join('')));
  return ends.find((end) => WRITERS.has(end)) ?? '';
}

function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  return names.map((name) => fields[name]).find((value) => typeof value === 'string');
}

const PATH_FIELDS =
  'file_path filePath path notebook_path absolute_path target_file filename'.split(' ');

/** In the call itself and in ACP's locations and content. */
function pathsOf(fields: Fields): string[] {
  const own = PATH_FIELDS.map((name) => fields[name]);
  const lists = [fields['locations'], fields['content']].flatMap((list) =>
    Array.isArray(list)
      ? list.map((one: unknown) => (isFields(one) ? one['path'] : undefined))
      : [],
  );
  const found = [...own, ...lists].filter((one) => typeof one === 'string' && one !== '');
  return [...new Set(found as string[])];
}

function afterOf(fields: Fields): ((before: string) => string | undefined) | undefined {
  const content = textOf(fields, 'content', 'contents', 'text', 'file_text');
  if (content !== undefined) return () => content;
  const edits = Array.isArray(fields['edits']) ? fields['edits'].filter(isFields) : [fields];
  const steps = edits.map((one) => ({
    from: textOf(one, 'old_string', 'oldString', 'old_str', 'oldText'),
    to: textOf(one, 'new_string', 'newString', 'new_str', 'newText'),
    all: one['replace_all'] === true || one['replaceAll'] === true,
  }));
  if (steps.some(({ from, to }) => from === undefined || to === undefined)) return undefined;
  return (before) => {
    let text = before;
    for (const { from = '', to = '', all } of steps) {
      if (!text.includes(from)) return undefined;
      // A function, so that `$&` stays text.
      text = all ? text.replaceAll(from, () => to) : text.replace(from, () => to);
    }
    return text;
  };
}

function shellOf(fields: Fields, input: unknown): readonly ToolEffect[] {
  const value = fields['command'] ?? fields['cmd'] ?? fields['script'] ?? fields['chars'] ?? input;
  const cwd = textOf(fields, 'workdir', 'cwd', 'directory', 'dir_path', 'working_directory');
  const command = Array.isArray(value) ? lineOf(value) : value;
  if (typeof command !== 'string')
    return [{ kind: 'unreadable', why: 'the command cannot be read' }];
  if (command.includes('*** Begin Patch'))
    return [...patchOf({ patch: command }, command), shell(command, cwd)];
  return [shell(command, cwd)];
}

function shell(command: string, cwd: string | undefined): ToolEffect {
  return { kind: 'shell', command, ...(cwd === undefined ? {} : { cwd }) };
}

/** As a command line with the same meaning. */
function lineOf(argv: readonly unknown[]): string {
  return argv.map((word) => shellWord(String(word))).join(' ');
}

function patchOf(fields: Fields, input: unknown): readonly ToolEffect[] {
  const value = fields['command'] ?? input;
  const argv = Array.isArray(value) ? value.join('\n') : value;
  const text = textOf(fields, 'input', 'patch', 'patchText', 'patch_text', 'diff') ?? argv;
  if (typeof text !== 'string') return [{ kind: 'unreadable', why: 'the patch cannot be read' }];
  const effects: ToolEffect[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, word, path] =
      /^\*\*\* (Add File|Update File|Delete File|Move to): (.*\S)\s*$/.exec(line) ?? [];
    if (path !== undefined) {
      effects.push({ kind: 'file', change: word === 'Delete File' ? 'delete' : 'write', path });
      continue;
    }
    const [, plain] = /^(?:\+\+\+|---) (?:[ab]\/)?([^\t]+)/.exec(line) ?? [];
    if (plain !== undefined && plain !== '/dev/null')
      effects.push({ kind: 'file', change: 'write', path: plain });
  }
  return effects.length === 0 ? [{ kind: 'unreadable', why: 'the patch names no file' }] : effects;
}
