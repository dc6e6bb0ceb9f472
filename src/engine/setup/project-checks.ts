/** Finds how a project is tested and built, for `tests` and `lsp_build_test` without configuration. Runs nothing. */
import { fields, isFields, parsedJson } from '../../task/core/base/json.ts';
import { join } from 'node:path';
import type { Disk } from '../../task/store/disk/disk.ts';
import { readText } from '../../workspace/open/text-file.ts';

type DetectedName = 'tests' | 'lsp_build_test';

interface Commands {
  readonly test?: string | undefined;
  /** Types, lint, build. */
  readonly others: readonly string[];
}

/** The first kind of project with a test command wins. */
export function detectChecks(disk: Disk, root: string) {
  const project: Project = {
    has: (name) => disk.stat(join(root, name)) !== undefined,
    text: (name) => {
      if (disk.stat(join(root, name)) === undefined) return '';
      const read = readText(disk, join(root, name), name, { single_link: false });
      return read.ok ? read.value : '';
    },
  };
  const kinds = [ofPackage, ofMakefile, ofCargo, ofGo, ofPython].map((kind) => kind(project));
  const found = kinds.filter((one) => one !== undefined);
  const tested = found.find(({ test }) => test !== undefined);
  const whole = tested ?? found.find(({ others }) => others.length > 0);
  const all = [...(whole?.others ?? []), ...(whole?.test === undefined ? [] : [whole.test])];
  const texts = (commands: readonly string[]) => commands.map((one) => `run: ${one}`);
  return new Map<DetectedName, readonly string[]>([
    ...(tested?.test === undefined ? [] : [['tests', texts([tested.test])] as const]),
    ...(all.length === 0 ? [] : [['lsp_build_test', texts(all)] as const]),
  ]);
}

interface Project {
  readonly has: (name: string) => boolean;
  readonly text: (name: string) => string;
}

const LOCKS = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

function ofPackage({ has, text }: Project): Commands | undefined {
  const scripts = scriptsOf(text('package.json'));
  if (scripts === undefined) return undefined;
  const tool = LOCKS.find(([lock]) => has(lock))?.[1] ?? 'npm';
  const first = (...names: readonly string[]): readonly string[] => {
    const name = names.find((one) => scripts.has(one));
    return name === undefined ? [] : [`${tool} run ${name}`];
  };
  const test = scripts.get('test');
  // The placeholder of `npm init` is no test.
  const isReal = test !== undefined && !/no test specified/i.test(test);
  return {
    test: isReal ? (tool === 'npm' ? 'npm test' : `${tool} run test`) : undefined,
    others: [
      ...first('typecheck', 'type-check', 'types', 'tsc'),
      ...first('lint'),
      ...first('build'),
    ],
  };
}

function scriptsOf(text: string): ReadonlyMap<string, string> | undefined {
  const { scripts } = fields(parsedJson(text));
  if (!isFields(scripts)) return undefined;
  const entries = Object.entries(scripts).filter((one) => typeof one[1] === 'string');
  return new Map(entries as [string, string][]);
}

function ofMakefile({ text }: Project): Commands | undefined {
  const targets = new Set(
    [...text('Makefile').matchAll(/^([A-Za-z][\w-]*)\s*:(?!=)/gm)].map(([, name]) => name),
  );
  const make = (name: string) => (targets.has(name) ? [`make ${name}`] : []);
  if (targets.size === 0) return undefined;
  const test = [...make('test'), ...make('tests'), ...make('check')][0];
  return { test, others: [...make('typecheck'), ...make('lint'), ...make('build')] };
}

function ofCargo({ has }: Project): Commands | undefined {
  return has('Cargo.toml') ? { test: 'cargo test', others: ['cargo build'] } : undefined;
}

function ofGo({ has }: Project): Commands | undefined {
  const others = ['go vet ./...', 'go build ./...'];
  return has('go.mod') ? { test: 'go test ./...', others } : undefined;
}

function ofPython({ has, text }: Project): Commands | undefined {
  const project = text('pyproject.toml') + text('setup.cfg') + text('tox.ini');
  const is = has('pytest.ini') || has('conftest.py') || /pytest/.test(project) || has('tests');
  const python = has('pyproject.toml') || has('setup.py') || has('setup.cfg') || has('pytest.ini');
  if (!python && !has('conftest.py')) return undefined;
  const others = [
    ...(/\[tool\.mypy/.test(project) ? ['mypy .'] : []),
    ...(/\[tool\.ruff/.test(project) ? ['ruff check .'] : []),
  ];
  return { test: is ? 'python -m pytest' : undefined, others };
}
