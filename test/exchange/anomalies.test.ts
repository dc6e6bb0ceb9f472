/**
 * Small golden cases of what was found in the task files of other tools: each has the files, what the command
 * says, and what is made of them. UPDATE_CASES=1 writes what is expected; read it before you commit it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

const FOLDER = fileURLToPath(new URL('anomalies', import.meta.url));
const SECTION = /^-- (.+) --$/;

interface Case {
  readonly name: string;
  /** The words after `contracts`, a line each. */
  readonly calls: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  readonly expected: string;
}

function casesOf(text: string): Case[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((one) => {
      const [name = '', ...lines] = one.replace(/\n+$/, '\n').split('\n');
      const files = new Map<string, string>();
      const calls: string[] = [];
      let open: string | undefined;
      for (const line of lines) {
        const path = SECTION.exec(line)?.[1];
        if (path !== undefined) files.set((open = path), '');
        else if (open === undefined) calls.push(...(line.startsWith('$ ') ? [line.slice(2)] : []));
        else files.set(open, `${files.get(open)}${line}\n`);
      }
      const expected = files.get('expected') ?? '';
      files.delete('expected');
      return { name, calls, files, expected };
    });
}

/** `\r`, `\uFEFF` and so on are written out in the cases. */
const unescaped = (text: string): string =>
  text.replaceAll('\\r', '\r').replaceAll('\\uFEFF', '\uFEFF').replace(/\n$/, '');

async function played({ calls, files }: Case): Promise<string> {
  const room = commandRoom('adapter: human\n');
  for (const [path, text] of files) {
    if (path.startsWith('later/')) continue;
    room.write(path, path.endsWith('.json') ? text : `${unescaped(text)}\n`);
  }
  const said: string[] = [];
  for (const [i, call] of calls.entries()) {
    const later = i === 1 ? [...files].filter(([path]) => path.startsWith('later/')) : [];
    for (const [path, text] of later) room.write(path.slice('later/'.length), text);
    const { code, out, err } = await room.said(...call.split(' '));
    said.push(
      `${calls.length > 1 ? `$ ${call}\n` : ''}${out}${err}${code === 0 ? '' : `exit ${code}\n`}`,
    );
  }
  const made = [...treeOf(room.root)].map(([path, text]) => `>> ${path}\n${text.trimEnd()}\n`);
  const whole = [said.join('\n').trimEnd(), ...made].join('\n');
  return whole
    .replaceAll(room.root, 'ROOT')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW')
    .replaceAll(/imported on [\d-]+/g, 'imported on DAY');
}

/** Plans, contracts without their sources, and notes. */
function treeOf(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of ['.contracts/plans', 'active_tasks']) {
    if (!existsSync(join(root, folder))) continue;
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    for (const one of entries) {
      const path = join(one.parentPath, one.name).slice(root.length + 1);
      if (!one.isFile() || !path.endsWith('.md') || path.endsWith('original.md')) continue;
      found.set(
        path,
        readFileSync(join(root, path), 'utf8').replace(/\n## Original\n[\s\S]*$/, ''),
      );
    }
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

for (const name of readdirSync(FOLDER)) {
  const file = join(FOLDER, name);
  const text = readFileSync(file, 'utf8');
  const cases = casesOf(text);
  describe(name.replace('.txt', ''), () => {
    const written: string[] = [];
    test.each(cases)('$name', async (one) => {
      const is = await played(one);
      if (process.env['UPDATE_CASES'] === '1') {
        const sources = [...one.files].map(([path, words]) => `-- ${path} --\n${words}`).join('');
        const calls = one.calls.map((call) => `$ ${call}\n`).join('');
        written.push(`=== ${one.name}\n${calls}${sources}-- expected --\n${is}\n`);
        if (written.length === cases.length) writeFileSync(file, written.join('\n'));
        return;
      }
      expect(is.trimEnd()).toBe(one.expected.trimEnd());
    });
  });
}
