/**
 * An opened workspace: its place, configuration and templates, and the ports to the world. Opening never
 * writes. A configuration that cannot be read is refused: silent defaults would be worse than a stop.
 */
import { basename, isAbsolute, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Adapter } from '../../process/adapter.ts';
import { elapsedMs } from '../../process/elapsed.ts';
import { realMachine, type Machine } from '../../process/machine.ts';
import { unknownPlaceholder } from '../../clients/adapters/command.ts';
import { isInstalled, programsBeyond, type Programs } from '../../process/program.ts';
import { treesAround, type Finding } from '../../git/find-git.ts';
import { ownGit, type RunGit } from '../../git/runner-git.ts';
import { realProcessRoom, type ProcessRoom } from '../../process/process-room.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { expandPath } from '../../task/core/base/expand-path.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import {
  configKeysAt,
  configSchema,
  DEFAULT_CONFIG,
  type Config,
} from '../../task/core/model/policy.ts';
import {
  Fault,
  ok,
  problem,
  refused,
  type Problem,
  type Result,
} from '../../task/core/model/problem.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import { findRoot, SETTINGS, TASKS, type Layout } from '../../task/store/tasks/layout.ts';
import { journaled } from './journal.ts';
import type { Putting } from '../../task/store/disk/put.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { HEAD_KEYS } from '../../task/core/model/contract-shape.ts';
import { issueProblem } from '../../task/text/documents/contract-head.ts';
import type { Place } from '../../task/text/markdown/encoding.ts';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { checkPath } from '../../task/text/documents/paths.ts';
import { renderTemplate, type Template } from '../../task/text/markdown/template.ts';
import { builtInTemplate, builtInText } from './built-in-templates.ts';
import { othersOwn } from './owner.ts';
import { confinedBy, personSettings, type PersonSettings } from './person-settings.ts';
import { readText } from './text-file.ts';
import { folderMark, realBelow } from '../../process/path-kind.ts';

export interface Ports {
  readonly disk: Disk;
  readonly machine: Machine;
  readonly room: ProcessRoom;
  /** How the runner itself calls git; a workspace has its own, for programs are found beyond its trees. */
  readonly git?: RunGit;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Waits that long, or until the signal. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How often a running agent is checked, in milliseconds. */
  readonly tick_ms: number;
  /** A clock that never jumps, for durations. */
  readonly elapsed_ms: () => number;
  /** Missing where no person is at a terminal. */
  readonly ring_bell?: () => void;
}

export interface Workspace extends Ports {
  readonly git: RunGit;
  /** Programs that the runner starts itself. */
  readonly programs: Programs;
  /** Values of the shape in tasks/capability.ts. */
  readonly capabilities: readonly object[];
  readonly layout: Layout;
  /** Its root as it was opened, by `folderMark`: another folder may come to that path. */
  readonly opened: string;
  readonly putting: Putting;
  readonly config: Config;
  /** The person's own folders, absolute: they may have agents and skills too. */
  readonly home?: string;
  readonly config_home?: string;
  /** Warnings from opening it. */
  readonly problems: readonly Problem[];
  /** Nonces of the attempts that this process is working on. */
  readonly active: Set<string>;
  /** A person began a run: earlier errors of an adapter do not pause it. */
  readonly begins_anew?: boolean;
  /** Called by what depends on the time, which no file shows: such a look is not cached. */
  readonly timed?: () => void;
  /** Around a question about other tasks, which is asked again as a whole (step/facts.ts); not where none is kept. */
  readonly about?: <T>(question: string, ask: () => T) => T;
  /** Hosts that a person declared dead for this call (`contracts doctor --recover`). */
  readonly dead_hosts: ReadonlySet<string>;
  /** Adapters that are loaded, by name. */
  readonly readers: Map<string, Adapter>;
  /** A person trusts it for this call (trust.ts). */
  readonly trusted?: boolean;
  readonly person: PersonSettings;
  /** Programs that were looked for during this command. */
  readonly installed?: Map<string, boolean>;
}

export interface OpenOptions {
  /** In the order of src/capabilities.ts. */
  readonly capabilities: readonly object[];
  /** A folder of the workspace; the working directory when left out. */
  readonly dir?: string | undefined;
  readonly ports?: Partial<Ports>;
  readonly dead_hosts?: readonly string[];
  /** As after `contracts trust`, for this call. */
  readonly trust?: boolean;
  /** For commands that call no agent and run no check: unknown keys of the configuration are problems, not a refusal. */
  readonly reads?: boolean;
}

export function realPorts(): Ports {
  const machine = realMachine();
  return {
    disk: realDisk,
    machine,
    room: realProcessRoom(machine),
    env: process.env,
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    },
    tick_ms: 1000,
    elapsed_ms: elapsedMs,
  };
}

/** Finds the workspace upwards from `dir` and reads its settings. */
export function openWorkspace(options: OpenOptions): Result<Workspace> {
  const ports = { ...realPorts(), ...options.ports };
  const from = resolve(options.dir ?? ports.env['CONTRACTS_DIR'] ?? process.cwd());
  const own = ownFolders(ports.env);
  const { home } = own;
  const homes = home === undefined ? [] : [home, realBelow(home)];
  const { kind } = ports.disk.stat(from) ?? {};
  if (options.dir !== undefined && (kind === undefined || kind === 'file')) {
    const message = kind === 'file' ? 'this is a file' : 'this folder does not exist';
    return refused({ code: 'not_a_file', file: from, message, fix: 'Name a folder: -C FOLDER' });
  }
  const root = findRoot(ports.disk, from, { homes });
  if (root === undefined) {
    const message = 'no workspace here or in a folder above';
    const expected = `a folder with ${SETTINGS}/ or ${TASKS}/`;
    const fix = 'Create one: contracts init';
    return refused({ code: 'missing_file', file: from, message, expected, fix });
  }
  const programs = programsFor(ports, root);
  const git = options.ports?.git ?? ownGit(ports.env, programs);
  const settings = linkOn(ports.disk, root, SETTINGS) ?? othersOwn({ ...ports, git }, root);
  if (settings !== undefined) return refused([settings]);
  const personal = join(own.config_home ?? '/nonexistent', 'contracts/config.yaml');
  const isSet = ports.disk.stat(personal) !== undefined;
  const person = isSet ? personSettings(ports.disk, personal) : ok({});
  if (!person.ok) return person;
  const config = readConfig(ports, root, options.reads === true);
  if (!config.ok) return config;
  const place = config.value.active_tasks ?? TASKS;
  const away = linkOn(ports.disk, root, place);
  if (away !== undefined) return refused([away]);
  const layout: Layout = { root, tasks: join(root, place) };
  const disk = journaled(ports, layout);
  return ok({
    ...ports,
    disk,
    git,
    programs,
    capabilities: options.capabilities,
    layout,
    opened: folderMark(root),
    putting: { disk, unique: () => ports.machine.nonce() },
    ...(isSet
      ? confinedBy(person.value, config.value, ports.env)
      : { person: {}, config: config.value }),
    ...own,
    problems: config.warnings,
    ...(options.trust === true ? { trusted: true } : {}),
    active: new Set<string>(),
    readers: new Map(),
    dead_hosts: new Set(options.dead_hosts ?? []),
  });
}

/** `root`: of a workspace, or of a folder that may become one; absolute. */
export function programsFor(finding: Finding, root: string): Programs {
  return programsBeyond(() => treesAround(finding, root), finding.env['PATH']);
}

/** A workspace may be moved or removed while a command runs. Tasks first: caches keep the other folder. */
export function mustBeThere({ disk, layout: { root, tasks } }: Workspace): void {
  if ([tasks, join(root, SETTINGS)].some((path) => disk.stat(path) !== undefined)) return;
  const fix = 'Go where the workspace is now; contracts run continues interrupted tasks';
  throw new Fault('workspace', `${root} was moved or removed while this command ran`, { fix });
}

export function mustHaveShell({ layout: { root }, env: { PATH } }: Workspace): void {
  if (PATH === undefined || PATH === '' || isInstalled('sh', PATH, root)) return;
  const fix = 'Add its folder to PATH, usually /bin; then run this again';
  throw new Fault('program', 'there is no sh in PATH, which agents and checks need', { fix });
}

/** The first segment below the root that is no real folder: a link could lead out. */
export function linkOn(disk: Disk, root: string, path: string): Problem | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  for (let length = 1; length <= segments.length; length++) {
    const file = segments.slice(0, length).join('/');
    if ((disk.stat(join(root, file))?.kind ?? 'folder') === 'folder') continue;
    const message = 'this is a link or a file';
    const more = file.startsWith(SETTINGS)
      ? ''
      : '; active_tasks in config.yaml can name another one';
    const fix = `Put a real folder there${more}`;
    return problem({ code: 'not_a_file', file, message, expected: 'a folder', fix });
  }
  return undefined;
}

function readConfig({ disk, env }: Ports, root: string, reads: boolean): Result<Config> {
  const file = `${SETTINGS}/config.yaml`;
  if (disk.stat(join(root, file)) === undefined) return ok(DEFAULT_CONFIG);
  const text = readText(disk, join(root, file), file, { single_link: false });
  if (!text.ok) return text;
  if (text.value.replace(/#.*$/gm, '').trim() === '') return ok(DEFAULT_CONFIG);
  const yaml = readYaml(text.value, file);
  if (!yaml.ok) return yaml;
  const { head } = yaml.value;
  let parsed = configSchema().safeParse(head);
  const { issues } = parsed.error ?? { issues: [] };
  const problems = issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownKey(issue, yaml.value.places, file)
      : issueProblem(issue, yaml.value, file),
  );
  if (reads) {
    for (const issue of issues) if (issue.code === 'unrecognized_keys') dropKeys(head, issue);
    parsed = configSchema().safeParse(head);
  }
  if (!parsed.success) return refused(problems);
  const { parallel, adapters } = parsed.data;
  const named = new Set([...configKeysAt(['parallel']), ...Object.keys(adapters)]);
  const keys = Object.keys(parallel).filter((one) => !named.has(one));
  if (keys.length > 0)
    problems.push(unknownKey({ path: ['parallel'], keys }, yaml.value.places, file));
  if (keys.length > 0 && !reads) return refused(problems);
  const odd = placeholderProblems(parsed.data, yaml.value.places, file);
  if (odd.length > 0) return refused(odd);
  for (const { run } of Object.values(adapters))
    if (run?.[0] !== undefined) run[0] = expandPath(run[0], env);
  const place = parsed.data.active_tasks;
  const bad = place === undefined ? undefined : checkPath(place);
  if (place === undefined || bad === undefined) return ok(parsed.data, problems);
  const { line = 1 } = yaml.value.places.get('active_tasks') ?? {};
  const message = `active_tasks: ${bad}`;
  const fix = 'Name a folder inside the workspace, relative to its root';
  return refused({ code: 'bad_path', file, line, message, found: place, fix });
}

/** Checked here, before the agent is called for the first time. */
function placeholderProblems(config: Config, places: ReadonlyMap<string, Place>, file: string) {
  return Object.entries(config.adapters).flatMap(([name, { run, type, url, agent }]) => {
    if (type === 'queue' && (url === undefined || agent === undefined))
      return problem({
        code: 'bad_value',
        file,
        ...places.get(`adapters.${name}`),
        message: `adapters.${name} is a queue without ${url === undefined ? 'url' : 'agent'}`,
        fix: 'Write both: { type: queue, url: redis://HOST, agent: builder }',
      });
    const odd = unknownPlaceholder(run ?? []);
    if (odd === undefined) return [];
    const key = `adapters.${name}.run`;
    return problem({
      code: 'bad_value',
      file,
      ...(places.get(`${key}.${odd.index}`) ?? places.get(key)),
      message: `${key} has an unknown placeholder`,
      found: odd.found,
      expected: odd.known,
      fix: 'Correct or remove it',
    });
  });
}

interface UnknownKeys {
  readonly path: readonly PropertyKey[];
  readonly keys: readonly string[];
}

function dropKeys(head: Record<string, unknown>, { path, keys }: UnknownKeys): void {
  let at = head;
  for (const name of path) at = at[String(name)] as Record<string, unknown>;
  for (const key of keys) delete at[key];
}

function unknownKey(issue: UnknownKeys, places: ReadonlyMap<string, Place>, file: string): Problem {
  const keys = issue.keys.map((key) => [...issue.path, key].map(String).join('.'));
  const [key = ''] = issue.keys;
  const known = configKeysAt(issue.path);
  const isContracts = HEAD_KEYS.includes(key);
  return problem({
    code: 'unknown_key',
    file,
    ...places.get(keys[0] ?? ''),
    message: isContracts ? 'this is a key of contracts' : 'unknown key in the configuration',
    found: keys.join(', '),
    fix: isContracts
      ? `${key === 'quality_gate' ? 'Here it is gate: person, for all work. ' : ''}Write ${key} into a contract, or remove it`
      : `${didYouMean(key, known)}Correct or remove it; docs/reference/configuration.md lists all keys`,
  });
}

/** Relative ones do not count: they depend on the working directory. */
export function ownFolders(env: Ports['env']): Pick<Workspace, 'home' | 'config_home'> {
  const [home, config] = [env['HOME'], env['XDG_CONFIG_HOME']].map((folder) =>
    folder !== undefined && isAbsolute(folder) ? withoutLinkedDots(folder) : undefined,
  );
  const config_home = config ?? (home === undefined ? undefined : join(home, '.config'));
  return given({ home, config_home });
}

/** Behind a link `..` leads above its target, which no join keeps. */
function withoutLinkedDots(folder: string): string {
  return folder.split('/').includes('..') ? realBelow(folder) : resolve(folder);
}

/** A template: the workspace's own when it has one, else the package's. */
export function templateOf(ws: Workspace, name: string): Template {
  return ownTemplate(ws, name) ?? builtInTemplate(ws.disk, name);
}

/** As templateOf, but never compiled. */
export function templateSource(ws: Workspace, name: string): string {
  return ownTemplate(ws, name) ?? builtInText(ws.disk, name);
}

/** One that cannot be read is a fault: the built-in one is not what the person wants. */
function ownTemplate(ws: Workspace, name: string): string | undefined {
  const own = `${SETTINGS}/templates/${basename(name)}.hbs`;
  const path = `${ws.layout.root}/${own}`;
  if (ws.disk.stat(path) === undefined) return undefined;
  const read = readText(ws.disk, path, own, { single_link: false });
  if (read.ok) return read.value;
  const { message = '', fix = `Correct ${own}, or remove it` } = read.problems[0] ?? {};
  throw new Fault('template', `the template ${own} cannot be read: ${message}`, { fix });
}

export function fillTemplate(ws: Workspace, name: string, values: Record<string, unknown>): string {
  return renderTemplate(templateOf(ws, name), values, `${basename(name)}.hbs`);
}
