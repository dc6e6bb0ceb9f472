/**
 * The rules of the house that no tool holds: how files open, how long they are, who may touch what.
 * Reads the text of src/ and test/; runs nothing. A rule names the few places that it lets through,
 * and a place that is named but no longer needs it fails too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listCases } from '../support/golden-case.ts';
import { MUTANTS } from '../support/mutant-list.ts';
import { PLAN_MUTANTS } from '../support/plan-mutants.ts';
import config from '../../vitest.config.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

interface Source {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  /** What it imports, as written. */
  readonly imports: readonly string[];
}

function sources(folder: string): Source[] {
  return readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const path = relative(project, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
      const text = readFileSync(join(project, path), 'utf8');
      return { path, text, imports: importsOf(text) };
    });
}

function importsOf(text: string): string[] {
  const named = /^(?:import|export)\b[^;]*?\bfrom '([^']+)';/gms;
  const bare = /^import '([^']+)';/gm;
  const lazy = /\bimport\('([^']+)'\)/g;
  return [named, bare, lazy].flatMap((form) => [...text.matchAll(form)].map((m) => m[1] ?? ''));
}

const src = sources('src');
const tests = sources('test').filter(({ path }) => path.endsWith('.test.ts'));
const floor = (path: string): string => path.split('/')[1] ?? '';
const isIn = (room: string, path: string): boolean => path.split('/').includes(room, 1);

/** A program of its own, which no command is part of. */
const DRIVER = 'src/clients/acp/main.ts';
const RELAY = 'src/machines/cli/relay.ts';
/** Part of OpenCode's process. */
const PLUGIN = 'src/permissions/engine/enforce/opencode-plugin.ts';

/** The paths for which the rule is broken. */
function broken(files: readonly Source[], rule: (file: Source) => boolean): string[] {
  return files.filter((file) => !rule(file)).map(({ path }) => path);
}

test('there is something to look at', () => {
  expect(src.length).toBeGreaterThan(80);
  expect(importsOf("import a from 'b';\nexport {\n c\n} from 'd';\nimport 'e';\n")).toEqual([
    'b',
    'd',
    'e',
  ]);
});

describe('every file of src', () => {
  test('opens with a comment that says what it is', () => {
    const opens = (text: string): boolean => /^(?:#![^\n]*\n)?\/\*\*[\s\S]{20,}?\*\//.test(text);
    expect(broken(src, ({ text }) => opens(text))).toEqual([]);
  });

  test('has no default export', () => {
    expect(broken(src, ({ text }) => !/^export default\b|as default\b/m.test(text))).toEqual([]);
  });

  test('has at most 400 lines', () => {
    expect(broken(src, ({ text }) => text.split('\n').length <= 400)).toEqual([]);
  });

  test('is named in kebab case', () => {
    const kebab = /^src\/(?:[a-z]+(?:-[a-z]+)*\/)*[a-z]+(?:-[a-z]+)*(?:\.d)?\.tsx?$/;
    expect(broken(src, ({ path }) => kebab.test(path))).toEqual([]);
  });

  test('prints nothing but through the command’s streams', () => {
    expect(broken(src, ({ text }) => !/\bconsole\./.test(text))).toEqual([]);
    const prints = src.filter(({ text }) => /process\.std(?:out|err)\b/.test(text));
    const others = prints.filter(({ path }) => floor(path) !== 'cli');
    expect(others.map(({ path }) => path)).toEqual([DRIVER, RELAY, PLUGIN]);
  });

  test('leaves ending the process to the command', () => {
    const ends = src.filter(({ text }) =>
      /process\.(?:exit\b|exitCode|abort|reallyExit)/.test(text),
    );
    expect(ends.map(({ path }) => path).toSorted()).toEqual([
      'src/cli/startup/main.ts',
      DRIVER,
      RELAY,
    ]);
  });

  test('leaves signals of the process to the command', () => {
    const heard = src.filter(({ text }) => /process\.(?:on|once)\(/.test(text));
    const others = heard.filter(({ path }) => floor(path) !== 'cli');
    expect(others.map(({ path }) => path)).toEqual([DRIVER, RELAY]);
  });
});

describe('imports', () => {
  test('the parsers have one door each, in text/', () => {
    for (const parser of ['gray-matter', 'handlebars', 'yaml']) {
      const doors = src.filter(({ imports }) => imports.includes(parser));
      expect(doors.length, parser).toBeGreaterThan(0);
      expect(doors.filter(({ path }) => !isIn('text', path)).map(({ path }) => path)).toEqual([]);
    }
    const doors = src.filter(({ imports }) => imports.includes('gray-matter'));
    expect(doors.map(({ path }) => path)).toEqual(['src/task/text/yaml/front-matter.ts']);
  });

  test('the disk is touched where files, programs and git are, and where the command loads itself, reads a file or writes its answer', () => {
    const touch = src.filter(({ imports }) => imports.some((one) => /^(?:node:)?fs\b/.test(one)));
    const others = touch.filter(
      ({ path }) => !['process', 'git', 'clients', 'sandbox'].includes(floor(path)),
    );
    expect(others.map(({ path }) => path).sort()).toEqual([
      'src/cli/commands/hook.ts',
      'src/cli/commands/new.ts',
      'src/cli/startup/keep-code.ts',
      'src/cli/startup/load.ts',
      'src/cli/streams/device.ts',
      'src/cli/streams/write-fd.ts',
      'src/demo/engine/copy-workspace.ts',
      RELAY,
      'src/permissions/engine/enforce/hook-disk.ts',
      'src/task/store/disk/real-disk.ts',
      'src/task/store/disk/tail-file.ts',
    ]);
  });

  test('programs are started by process/child-process.ts alone, which covers what a caller left open', () => {
    const types = /^import type\b[^;]*;/gms;
    const start = src.filter(({ text }) => text.replace(types, '').includes('child_process'));
    expect(start.map(({ path }) => path)).toEqual(['src/process/child-process.ts']);
    expect(broken(src, ({ text }) => !/\bBun\b|\bDeno\b|node:cluster/.test(text))).toEqual([]);
  });

  test('core imports zod, the reader of shells, the search and itself', () => {
    const core = src.filter(({ path }) => isIn('core', path));
    const inside = (one: string): boolean =>
      /^(?:zod(?:\/|$)|(?:unbash|minisearch|stemmer)$)/.test(one) || one.startsWith('.');
    expect(broken(core, ({ imports }) => imports.every(inside))).toEqual([]);
  });

  test('the whole zod is imported where no verb loads it; what runs has zod/mini', () => {
    const whole = src.filter(({ text }) => /^import \* as z from 'zod';/m.test(text));
    expect(whole.map(({ path }) => path).toSorted()).toEqual([
      'src/assumptions/core/assumption-lines.ts',
      'src/cli/schema/all-lines.ts',
      'src/demo/core/demo-lines.ts',
      'src/engine/core/events/agent-lines.ts',
      'src/engine/core/events/command-lines.ts',
      'src/exchange/core/exchange-lines.ts',
      'src/machines/core/machine-lines.ts',
      'src/mcp/core/new-task.ts',
      'src/mcp/core/seed-tools.ts',
      'src/mcp/core/tools.ts',
      'src/memory/core/memory-lines.ts',
      'src/page/core/page-lines.ts',
      'src/plans/core/plan-lines.ts',
      'src/router/core/router-lines.ts',
      'src/squads/core/squad-lines.ts',
      'src/stats/core/stats-lines.ts',
      'src/task/core/lines/event-lines.ts',
      'src/task/core/lines/line-parts.ts',
      'src/task/core/lines/shared-lines.ts',
      'src/task/core/model/document-schemas.ts',
      'src/teams/core/team-lines.ts',
      'src/workflows/core/workflow-lines.ts',
    ]);
  });

  test('core knows no clock, no chance, no process', () => {
    const core = src.filter(({ path }) => isIn('core', path));
    const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\./;
    expect(broken(core, ({ text }) => !impure.test(text))).toEqual([]);
  });
});

describe('tests', () => {
  test('each folder of src has its folder in test, which goes with it when it is taken out', () => {
    const floors = new Set(
      src.map(({ path }) => floor(path)).filter((one) => !/\.tsx?$/.test(one)),
    );
    const tested = new Set(tests.map(({ path }) => floor(path)));
    expect([...floors].filter((one) => !tested.has(one))).toEqual([]);
  });

  test('one that asserts nothing fails, in each set', () => {
    const asked = (config.test?.projects ?? []).map((one) =>
      typeof one === 'object' && 'test' in one ? one.test?.expect?.requireAssertions : undefined,
    );
    expect(asked).toEqual([true, true, true]);
  });

  test('no module is mocked', () => {
    const mocked = new RegExp(`\\bvi\\.(?:${['mock', 'doMock', 'stubGlobal'].join('|')})\\(`);
    expect(broken(tests, ({ text }) => !mocked.test(text))).toEqual([]);
  });
});

test('the lines that turn a rule off only get fewer', () => {
  const off = [...src, ...sources('test')].flatMap(
    ({ text }) => text.match(/(?:oxlint-disable|@ts-(?:ignore|nocheck))[-\s]/g) ?? [],
  );
  expect(off, 'none is added; where one is gone, lower the number').toHaveLength(10);
});

test('the lock file names no host, so that everybody’s own registry serves', () => {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string }>;
  };
  const packages = Object.entries(lock.packages);
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
});

test('the lock file is whole: `npm ci` refuses one that leaves out what other machines need', () => {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) =>
        lock.packages[`node_modules/${name}`] === undefined &&
        lock.packages[`${path}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

test('no two golden cases have the same number', () => {
  const numbers = listCases().map(({ name }) => name.split('-')[0]);
  expect(numbers.filter((one, i) => numbers.indexOf(one) !== i)).toEqual([]);
});

test('each mutant of the nightly run still finds its place', () => {
  const astray = [...MUTANTS, ...PLAN_MUTANTS].filter(({ file, text }) => {
    const source = src.find(({ path }) => path === `src/${file}`)?.text ?? '';
    return source.split(text).length !== 2;
  });
  expect(astray.map(({ name }) => name)).toEqual([]);
});
