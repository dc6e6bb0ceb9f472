// Bundles the command, so that it starts quickly. dist/bin/contracts.cjs (src/cli/startup/entry.ts) looks at the
// arguments and loads one file that holds all that they need and little else: frequent verbs have files of their own
// (FAMILIES), everything has all.cjs. So no process ever loads two of them, and small parts of theirs are in each; what
// is most of several is in a file beside them (SHARING). CommonJS, because that starts sooner. Two kinds of import cost
// nothing until they are used:
//   - packages of package.json that are not in AT_ONCE become a file each (yaml.cjs), and
//   - modules of Node in LATE, which Node itself has not loaded when it starts.
// Source says `import { parseDocument } from 'yaml'` as anywhere; the bundle puts in its place an
// object whose properties load the library when they are read. A warning of esbuild fails the build.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { build, transform } from 'esbuild';
import { loadSource } from './load-source.mjs';
import { precompiledTemplates } from './precompile.mjs';

/** Of a small file of the command: what is never loaded, and that no contract is read (`without`: a file). */
const SMALL = {
  help: { reads: 'nothing' },
  // For some calls of list alone: see verb-of-args.ts.
  names: { home: 'list', without: 'commands/list-lines.ts', reads: 'names' },
  hook: { reads: 'nothing' },
};
/** Small ones that call agents. */
const CALLS = new Set(['step']);
const GUARD = 'startup/attempt-guard.ts';
/** The parts of a capability are in `bundle.json` in its folder. */
function partsOf(key) {
  const folders = readdirSync(new URL('../src/', import.meta.url), { withFileTypes: true });
  return folders.flatMap(({ name }) => {
    const file = new URL(`../src/${name}/bundle.json`, import.meta.url);
    return existsSync(file)
      ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))[key] ?? {})
      : [];
  });
}

/** Verbs that are a program of their own, whose libraries no other call loads. */
const PROGRAMS = Object.fromEntries(partsOf('programs'));

/**
 * Modules of ours that few calls need, imported with `import()` alone: each a file of its own, or a part
 * of all.cjs, which has almost all that they need in it anyway.
 */
const PARTS = {
  ...Object.fromEntries(partsOf('parts')),
  ...Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [path, name])),
  'src/clients/adapters/clients.ts': 'clients',
  'src/engine/verify/json-schema.ts': 'json-schema',
  'src/engine/commands/abort.ts': 'all',
  'src/engine/queries/explain.ts': 'all',
  'src/engine/queries/search.ts': 'all',
  'src/engine/queries/next-brief.ts': 'all',
  'src/engine/queries/receipts.ts': 'all',
  'src/cli/startup/misread.ts': 'misread',
  // For the server, of which each tool calls a verb.
  'src/cli/startup/program.ts': 'all',
  'src/cli/startup/main.ts': 'all',
  'src/cli/board/at-board.ts': 'board',
  'src/cli/commands/board.ts': 'all',
  'src/cli/output/problem-lines.ts': 'all',
  'src/cli/output/unknown-filters.ts': 'all',
  'src/cli/terminal/ask-trust.ts': 'all',
  'src/cli/startup/after-verb.ts': 'all',
  'src/cli/prompts/pick-task.ts': 'all',
};
/** Called parts that are in all.cjs, for the same reason. */
const CALLED_IN_ALL = [
  'src/worktrees/engine/still-unprepared.ts',
  ...partsOf('called_in_all').map(([, path]) => path),
];
/** The command, the library, and the parts that others look for in it. */
const ALL = [
  "export { start } from './src/cli/startup/main.ts';",
  "export * from './src/index.ts';",
  ...CALLED_IN_ALL.map((path) => `export * from './${path}';`),
  ...Object.keys(PARTS)
    .filter((path) => PARTS[path] === 'all')
    .map((path) => `export * from './${path}';`),
].join('\n');
/**
 * The same for functions that are imported as any other: the file is loaded when the first is called.
 * Its modules are copies, so that nothing of theirs may be remembered or compared by its class.
 */
const CALLED_PARTS = {
  ...Object.fromEntries(partsOf('called')),
  trust: 'src/trust/trust.ts',
  sign: 'src/trust/sign.ts',
  person: 'src/workspace/open/person-settings.ts',
  safe: 'src/workspace/open/safe-directory.ts',
  shell: 'src/permissions/core/shell-effects.ts',
  toml: 'src/task/text/yaml/toml-head.ts',
  'keep-code': 'src/cli/startup/keep-code.ts',
  child: 'src/process/child-process.ts',
  started: 'src/process/gated-run.ts',
  named: 'src/sandbox/engine/named-program.ts',
};
/** Parts that only those load that have core.cjs in memory: none of a hook, of help or of names. */
const OVER_CORE = [
  'board',
  'named',
  'clients',
  ...partsOf('called').map(([name]) => name),
  ...partsOf('parts')
    .map(([, name]) => name)
    .filter((name) => name !== 'all'),
];
/**
 * What is the same in all that `make` a file is in the file of its name, which each of them loads. Others `take`
 * from there what is the same in them, too: those of a row all the same.
 */
const SHARING = {
  core: {
    make: ['list', 'moves', 'new', 'show'],
    take: [['step', 'all'], ...OVER_CORE.map((part) => [part])],
  },
  common: { make: ['step', 'all'], take: [] },
};
/** These read a task or two: to make code for a shape takes longer than to look at each of its keys. */
const FEW_READ = new Set(['moves', 'new', 'show']);
const NO_CODE_FOR_SHAPES = '(globalThis.__zod_globalConfig??={}).jitless=true;';
/** What is not loaded late, because all calls of a file need it. */
const AT_ONCE = {
  help: ['commander'],
  'json-schema': ['ajv'],
  page: ['preact', 'preact-render-to-string', 'marked', 'diff'],
};
const LATE = new Set(
  'child_process crypto os readline stream string_decoder timers/promises tty url v8 vm'
    .split(' ')
    .map((name) => `node:${name}`),
);
/** Installed by whoever has workers: no part of the bundle. */
const PEERS = ['bullmq', 'ioredis', 'pg'];
/** Its library is loaded when it is first used. */
const LATE_PROXY = 'late-proxy';
const LATE_PROXY_CODE = `export const late = (real) => new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.hasInstance ? (one) => one instanceof real() : real()[name]),
  apply: (_, self, given) => Reflect.apply(real(), self, given),
  construct: (_, given) => Reflect.construct(real(), given),
});`;
/** gray-matter asks for it, but is only ever given our own engines. */
const NEVER = new Set(['js-yaml']);

const TARGET = { platform: 'node', target: 'node20', legalComments: 'none', logLevel: 'warning' };
const LOADER = { '.css': 'text' };
const packageOf = (path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/');
const fileOf = (path) => `${path.replaceAll(/[^a-z0-9-]+/g, '-').replace(/^-/, '')}.cjs`;

/** Those of capabilities, which are in a folder, are not loaded with those of the engine. */
const TEMPLATES = {
  templates: (name) => !name.includes('/'),
  'more-templates': (name) => name.includes('/'),
};

/** And the library, index.js: the same code, under the names of src/index.ts. `dist`: where all of it is put. */
export async function bundleCommand(root, dist = join(root, 'dist')) {
  const { version, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // All that src imports is in the bundle, so that the package runs where no registry can be reached. Its types alone
  // need zod: an optional dependency, without which it is installed all the same.
  const dependencies = { ...manifest.optionalDependencies, ...manifest.devDependencies };
  for (const name of PEERS) delete dependencies[name];
  const lazy = new Map();
  const own = ownFiles(version);
  const options = {
    ...TARGET,
    loader: LOADER,
    absWorkingDir: root,
    bundle: true,
    external: PEERS,
    format: 'cjs',
    minify: true,
    // `import()` becomes a require in a promise: it is always one of our own files.
    supported: { 'dynamic-import': false },
    metafile: true,
    write: false,
  };
  const inputs = new Set();
  const sources = createHash('sha256');
  const keep = (file, code) => {
    if (file !== 'contracts.cjs') sources.update(code);
    writeFileSync(join(dist, 'bin', file), code);
  };
  const make = async (file, more) => {
    const made = await build({ ...options, ...more });
    clean(made);
    for (const input of Object.keys(made.metafile.inputs)) inputs.add(input);
    keep(file, asAscii(made.outputFiles[0].text));
  };
  mkdirSync(join(dist, 'bin'), { recursive: true });
  const table = await tableOfVerbs(root);
  const EFFECTS = JSON.stringify(JSON.stringify(table.effects));
  const families = [...new Set(table.verbs.flatMap(({ bundle = [] }) => bundle))].filter(
    (name) => !(name in PROGRAMS),
  );
  const optionsOfVerbs = (name) => ({
    ...(name === 'all'
      ? { stdin: { contents: ALL, resolveDir: root, loader: 'ts' } }
      : { entryPoints: ['src/cli/startup/main.ts'] }),
    banner: { js: FEW_READ.has(name) ? NO_CODE_FOR_SHAPES : '' },
    plugins: [
      someVerbs(root, name, table),
      ownParts(name),
      calledParts(root, name === 'all' ? [] : CALLED_IN_ALL),
      own,
      loadedLate(root, dependencies, lazy, AT_ONCE[name] ?? []),
    ],
  });
  const parts = Object.entries(PARTS).filter(([, name]) => name !== 'all' && !(name in PROGRAMS));
  const files = {
    ...Object.fromEntries(parts.map(([path, name]) => [name, path])),
    ...CALLED_PARTS,
  };
  const optionsOfPart = (name) => ({
    entryPoints: [files[name]],
    plugins: [
      ownParts(name),
      calledParts(root, [], files[name]),
      own,
      loadedLate(root, dependencies, lazy, AT_ONCE[name] ?? []),
    ],
  });
  const shared = {};
  const optionsOf = (name) => {
    const { plugins, ...rest } = name in files ? optionsOfPart(name) : optionsOfVerbs(name);
    return { ...rest, plugins: [...(shared[name] ?? []), ...plugins] };
  };
  const inputsOf = async (name) => {
    const { metafile } = await build({ ...options, ...optionsOf(name) });
    return metafile.inputs;
  };
  for (const [name, { make: makers, take }] of Object.entries(SHARING)) {
    const groups = [makers, ...take];
    const inputs = await Promise.all(groups.map((group) => Promise.all(group.map(inputsOf))));
    const { entry, plugins } = await sharedBy(root, name, inputs);
    await make(`${name}.cjs`, {
      ...optionsOf(makers[0]),
      banner: {},
      entryPoints: [],
      stdin: { contents: entry, resolveDir: root, loader: 'ts' },
      logOverride: { 'commonjs-variable-in-esm': 'silent' },
    });
    for (const [i, group] of groups.entries())
      for (const one of group) shared[one] = [...(shared[one] ?? []), plugins[i]];
  }
  for (const name of ['help', 'names', ...families, 'all', ...Object.keys(files)]) {
    await make(`${name}.cjs`, optionsOf(name));
    if (name in SMALL) checkSmall(name, dist);
  }
  const ofZod = new Set();
  // A program of its own, which shares the called parts with the command.
  await make('acp.cjs', {
    entryPoints: ['src/clients/acp/main.ts'],
    define: { VERSION: JSON.stringify(version), EFFECTS },
    plugins: [
      oneZod(ofZod),
      calledParts(root),
      own,
      loadedLate(root, dependencies, lazy, ['@agentclientprotocol/sdk']),
    ],
  });
  for (const [name, path] of partsOf('drivers'))
    await make(`${name}.cjs`, {
      entryPoints: [path],
      plugins: [oneZod(ofZod), calledParts(root), own, loadedLate(root, dependencies, lazy, [])],
    });
  for (const [name, path] of Object.entries(PROGRAMS))
    await make(`${name}.cjs`, {
      entryPoints: [path],
      alias: { '@modelcontextprotocol/server/_shims': './scripts/mcp-shims.mjs' },
      plugins: [
        oneZod(ofZod),
        ownParts(name),
        calledParts(root),
        own,
        loadedLate(root, dependencies, lazy, ['@modelcontextprotocol/server']),
      ],
    });
  const imported = namesImported(root);
  imported.set('zod', [...imported.get('zod'), ...ofZod]);
  for (const [path, file] of lazy) {
    const library = await bundleLibrary(root, path, imported.get(path) ?? null);
    for (const input of library.inputs) inputs.add(input);
    keep(file, library.code);
  }
  // Of a client that loads it itself: one file that imports nothing of ours.
  const plugin = await build({
    ...options,
    format: 'esm',
    entryPoints: ['src/permissions/engine/enforce/opencode-plugin.ts'],
    define: { EFFECTS },
  });
  clean(plugin);
  writeFileSync(join(dist, 'opencode-plugin.js'), plugin.outputFiles[0].text);
  for (const [file, chosen] of Object.entries(TEMPLATES)) {
    const made = precompiledTemplates(join(root, 'templates'), chosen);
    const { code } = await transform(made, { ...TARGET, minify: true });
    keep(`${file}.cjs`, asAscii(code));
  }
  await make('contracts.cjs', {
    entryPoints: ['src/cli/startup/entry.ts'],
    banner: { js: '#!/usr/bin/env node' },
    define: {
      BUILD: JSON.stringify(sources.digest('hex')),
      FAMILY_OF: JSON.stringify(JSON.stringify(familyOfVerb(table.verbs))),
    },
    plugins: [calledParts(root), own],
  });
  checkCalled(root, dist);
  writeFileSync(join(dist, 'bin/THIRD-PARTY.txt'), licences(root, inputs));
  chmodSync(join(dist, 'bin/contracts.cjs'), 0o755);
  // Else the help of an earlier build would be printed again.
  rmSync(join(dist, 'bin/help.txt'), { force: true });
  writeFileSync(join(dist, 'bin/help.txt'), helpText(dist));
  writeFileSync(join(dist, 'index.js'), await library(options));
}

/** As ESM: all.cjs holds what it exports. */
async function library(options) {
  const { metafile } = await build({
    ...options,
    entryPoints: ['src/index.ts'],
    format: 'esm',
    packages: 'external',
  });
  const [{ exports }] = Object.values(metafile.outputs);
  return `import all from './bin/all.cjs';\nexport const { ${exports.join(', ')} } = all;\n`;
}

function clean({ warnings }) {
  if (warnings.length > 0) throw new Error('bundle: warnings, see above');
}

/** Of two parts that export the same name none is in all.cjs. */
function checkCalled(root, dist) {
  const all = createRequire(import.meta.url)(join(dist, 'bin/all.cjs'));
  const inAll = Object.keys(PARTS).filter((path) => PARTS[path] === 'all');
  const absent = [...CALLED_IN_ALL, ...inAll]
    .flatMap((file) => functionsOf(join(root, file)))
    .filter((name) => typeof all[name] !== 'function');
  if (absent.length > 0) throw new Error(`bundle: all.cjs has two of ${absent.join(', ')}`);
}

/** A small file must not load core.cjs by a part over it. */
function checkSmall(name, dist) {
  const code = readFileSync(join(dist, 'bin', `${name}.cjs`), 'utf8');
  const over = OVER_CORE.filter((part) => code.includes(`./${part}.cjs`));
  if (over.length > 0) throw new Error(`bundle: ${name}.cjs loads ${over.join(', ')}, over core`);
}

function functionsOf(path) {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name);
}

/** At the usual width. */
function helpText(dist) {
  const file = join(dist, 'bin/contracts.cjs');
  return execFileSync(process.execPath, [file, '--help'], { env: {}, encoding: 'utf8' });
}

function familyOfVerb(verbs) {
  // What is in a file of its own is small: verbs that capabilities put below it are in the file of all.
  return verbs.flatMap(({ name, bundle, below = {} }) =>
    bundle === undefined
      ? []
      : [[name, bundle], ...Object.keys(below).map((inner) => [`${name} ${inner}`, 'all'])],
  );
}

/** The verbs, and what each does to a tree, as the command has them. */
async function tableOfVerbs(root) {
  const { CAPABILITIES, effectsOf, verbsOf } = await loadSource(
    root,
    `export { CAPABILITIES } from './src/capabilities.ts';
    export { effectsOf, verbsOf } from './src/cli/startup/verbs.ts';`,
  );
  return { verbs: verbsOf(CAPABILITIES), effects: effectsOf(CAPABILITIES) };
}

/** Letters that esbuild leaves in regular expressions: a file of ASCII alone is read faster. */
function asAscii(code) {
  return code.replaceAll(/[^\p{ASCII}]/gu, (char) =>
    [...Array(char.length).keys()].map((i) => unicode(char.charCodeAt(i))).join(''),
  );
}

function unicode(unit) {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/**
 * In place of the table of verbs those of a file alone, as if their code was imported at once: no module of
 * it is wrapped to be made later. Of the others `help` says what they are for. `all` stays as it is.
 */
function someVerbs(root, family, { verbs, effects }) {
  return {
    name: 'some-verbs',
    setup({ onResolve, onLoad }) {
      if (family === 'all') return;
      const { home = family, without, reads } = SMALL[family] ?? {};
      const own = verbs.filter(({ bundle }) => bundle === home);
      const named = verbs.map(({ name, heading, summary }) => [name, heading, summary]);
      const table =
        family === 'help'
          ? [
              `const VERBS = ${JSON.stringify(named)}`,
              '  .map(([name, heading, summary]) => ({ name, heading, summary }));',
            ]
          : [
              `import * as file from '../commands/${home}.ts';`,
              'const load = async () => file;',
              `const VERBS = ${JSON.stringify(own)}.map((one) => ({ ...one, load }));`,
            ];
      const contents = [
        ...table,
        'export const verbsOf = () => VERBS;',
        `export const effectsOf = () => (${JSON.stringify(family === 'hook' ? effects : {})});`,
      ].join('\n');
      onLoad({ filter: /src\/cli\/startup\/verbs\.ts$/ }, () => ({ contents, loader: 'ts' }));
      // Where no agent is called, no capability brings what it does then; where no contract is read, none joins.
      if (!CALLS.has(family))
        onLoad({ filter: /src\/[a-z]+\/(?:engine\/(?:[a-z-]+\/)*)?calls\.ts$/ }, () => ({
          contents: 'export const calls = {};',
        }));
      if (reads !== undefined)
        onLoad({ filter: /src\/capabilities\.ts$/ }, () => ({
          contents: 'export const CAPABILITIES = [];',
        }));
      onLoad({ filter: /src\/[a-z]+\/(?:cli\/)?verbs\.ts$/ }, ({ path }) => ({
        contents: constantsIn(path)
          .map((name) => `export const ${name} = {};`)
          .join(''),
      }));
      const isMissing = (path) =>
        path === without || (path === GUARD && own.every(({ effect }) => effect === 'reads'));
      onResolve({ filter: /^(?:\.\.?\/)+[a-z/-]+\.ts$/ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import' &&
        isMissing(relative(join(root, 'src/cli'), join(resolveDir, path)))
          ? { path: `./no-${path.split('/').at(-1)}`, external: true }
          : undefined,
      );
    },
  };
}

/** What a file of the table exports. */
function constantsIn(path) {
  return [...readFileSync(path, 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
}

/** A part is not in the file of a verb: it is loaded from beside it when it is imported. */
function ownParts(family) {
  return {
    name: 'own-parts',
    setup({ onResolve }) {
      onResolve(
        { filter: /^(?:\.\.?\/)+(?:[a-z-]+\/)*[a-z-]+\.ts$/ },
        ({ kind, path, resolveDir }) => {
          if (kind !== 'dynamic-import') return undefined;
          // Shapes are for the schemas alone.
          if (/core\/[a-z]+-lines\.ts$/.test(path)) return { path: './no-shapes', external: true };
          const part = Object.keys(PARTS).find((file) => join(resolveDir, path).endsWith(file));
          if (part === undefined || PARTS[part] === family) return undefined;
          return { path: `./${PARTS[part]}.cjs`, external: true };
        },
      );
    },
  };
}

/** `in_all`: those that are looked for in all.cjs; `self`: the one that is made. */
function calledParts(root, in_all = [], self = '') {
  return {
    name: 'called-parts',
    setup({ onLoad }) {
      const parts = [...Object.entries(CALLED_PARTS), ...in_all.map((file) => ['all', file])];
      for (const [name, file] of parts.filter(([, one]) => one !== self)) {
        onLoad({ filter: new RegExp(`${file.replaceAll('.', '\\.')}$`) }, () => {
          const exports = functionsOf(join(root, file)).map(
            (one) =>
              `export const ${one} = (...given) => require('./${name}.cjs').${one}(...given);`,
          );
          return { contents: exports.join('\n'), loader: 'js' };
        });
      }
    },
  };
}

/**
 * The modules that are the same in all of the first of `groups` (of inputs of the metafiles): same text, same imports,
 * and these shared, too; and of each other group which of them all of it have. `entry` exports what the rest imports
 * of them, and a plugin for each group puts that in their place.
 */
async function sharedBy(root, name, groups) {
  const [[one]] = groups;
  const first = sameIn(groups[0], new Set(Object.keys(one)));
  const usedIn = groups.map((group) => usedFrom(root, group, sameIn([one, ...group], first)));
  const paths = [...new Set(usedIn.flatMap((used) => [...used.keys()]))].toSorted();
  const exported = await exportsOfEach(root, paths);
  const namesOf = (used, path) => {
    const names = used.get(path) ?? new Set();
    return exported.get(path).filter((one) => names.has(one) || names.has('*'));
  };
  const exports = paths.flatMap((path) => {
    const names = new Set(usedIn.flatMap((used) => namesOf(used, path)));
    return [...names].toSorted().map((own) => `${own} from ${path}`);
  });
  const shortOf = (own, path) => `m${exports.indexOf(`${own} from ${path}`).toString(36)}`;
  const entry = exports.map((one) => {
    const [own, path] = one.split(' from ');
    return `import { ${own} as ${shortOf(own, path)} } from './${path}';`;
  });
  // One object of values: exports of a module are a getter each, made twice when the command starts.
  const values = exports.map((_, i) => `m${i.toString(36)}`);
  entry.push(`module.exports = { ${values.join(', ')} };`);
  const pluginOf = (used) => ({
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: name }));
      onResolve({ filter: /^\./, namespace: name }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: name }, () => ({
        contents: `export const ${name} = require('./${name}.cjs');`,
      }));
      onLoad({ filter: /src\/.+\.ts$/ }, ({ path }) => {
        const own = relative(root, path);
        if (!used.has(own)) return undefined;
        const lines = namesOf(used, own).map(
          (one) => `export const ${one} = ${name}.${shortOf(one, own)};`,
        );
        return { contents: [`import { ${name} } from '${name}';`, ...lines].join('\n') };
      });
    },
  });
  return { entry: entry.join('\n'), plugins: usedIn.map(pluginOf) };
}

/** By module of `shared`, which names the others of a group import; none of a module that another file has. */
function usedFrom(root, group, shared) {
  const used = new Map();
  for (const [importer, { imports }] of group.flatMap((inputs) => Object.entries(inputs))) {
    if (shared.has(importer)) continue;
    for (const { path, original } of imports) {
      if (!path.startsWith('src/') || !shared.has(path) || isTaken(group[0][path])) continue;
      const text = importer === '<stdin>' ? ALL : readFileSync(join(root, importer), 'utf8');
      if (!used.has(path)) used.set(path, new Set());
      for (const one of namesFrom(text, original)) used.get(path).add(one);
    }
  }
  return used;
}

/** Of `paths` those that are the same in all of `inputs`. */
function sameIn([one, ...others], paths) {
  const textOf = ({ bytes, imports }) =>
    JSON.stringify([bytes, imports.map(({ path, kind }) => [path, kind])]);
  const shared = new Set(
    [...paths].filter((path) =>
      others.every((other) => path in other && textOf(one[path]) === textOf(other[path])),
    ),
  );
  const isShared = ({ path, external }) => external || shared.has(path);
  for (let before = -1; before !== shared.size;) {
    before = shared.size;
    for (const path of shared) if (!one[path].imports.every(isShared)) shared.delete(path);
  }
  return shared;
}

/** Whether a module was put in the place of one that another shared file has. */
function isTaken({ imports }) {
  return imports.some(({ path }) =>
    Object.keys(SHARING).some((name) => path === `${name}:${name}`),
  );
}

/** Names that a text imports or exports from a module, `*` for all. */
function namesFrom(text, module) {
  const found = text.matchAll(/^(?:import|export) (?!type\b)([^;'"]+?) from '([^']+)';/gm);
  const lists = [...found].filter(([, , path]) => path === module).map(([, what]) => what);
  const named = lists.map((what) => (what.startsWith('{') ? namesIn(what, text) : ['*']));
  return named.length === 0 ? ['*'] : named.flat();
}

/** What is there at run time, by path. */
async function exportsOfEach(root, paths) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: paths,
    loader: LOADER,
    outdir: 'none',
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const outputs = Object.values(metafile.outputs);
  return new Map(outputs.map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** What is of the package itself: templates as code that needs no compiler, version and place. */
function ownFiles(version) {
  return {
    name: 'own-files',
    setup({ onResolve, onLoad }) {
      const parts = [...Object.keys(TEMPLATES), 'all', ...Object.keys(CALLED_PARTS)].join('|');
      onResolve({ filter: new RegExp(`^\\./(?:${parts})\\.cjs$`) }, ({ path }) => ({
        path,
        external: true,
      }));
      onLoad({ filter: /src\/workspace\/open\/built-in-templates\.ts$/ }, () => ({
        contents: `const load = (name) =>
            name.includes('/') ? require('./more-templates.cjs') : require('./templates.cjs');
          export const builtInTemplate = (disk, name) => load(name).made[name]();
          export const builtInText = (disk, name) => load(name).text[name];`,
        loader: 'js',
      }));
      onLoad({ filter: /src\/workspace\/open\/package-version\.ts$/ }, () => ({
        contents: `export const packageVersion = () => ${JSON.stringify(version)};`,
        loader: 'js',
      }));
      onLoad({ filter: /src\/clients\/adapters\/driver-path\.ts$/ }, () => ({
        contents: "export const driverPath = (name) => __dirname + '/' + name + '.cjs';",
        loader: 'js',
      }));
      onLoad({ filter: /src\/workspace\/open\/package-folder\.ts$/ }, () => ({
        contents: "export const packageFolder = () => __dirname + '/../../';",
        loader: 'js',
      }));
    },
  };
}

function loadedLate(root, dependencies, lazy, atOnce) {
  const isLazy = (path) => packageOf(path) in dependencies && !atOnce.includes(packageOf(path));
  const imported = namesImported(root);
  return {
    name: 'loaded-late',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, namespace, kind }) => {
        if (path === LATE_PROXY) return { path, namespace: 'late' };
        if (namespace === 'late') return { path, external: true };
        if (isLazy(path)) lazy.set(path, fileOf(path));
        if (isLazy(path) && kind === 'dynamic-import') {
          return { path: `./${fileOf(path)}`, external: true };
        }
        return isLazy(path) || LATE.has(path) ? { path, namespace: 'late' } : undefined;
      });
      onResolve({ filter: /^\.\//, namespace: 'late' }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
        if (path === LATE_PROXY) return { contents: LATE_PROXY_CODE, loader: 'js' };
        const target = LATE.has(path) ? path : `./${fileOf(path)}`;
        return { contents: await standIn(root, path, target, imported.get(path)), loader: 'js' };
      });
    },
  };
}

/** By module, which names src imports from it; null where it takes the whole. */
function namesImported(root) {
  const found = new Map();
  for (const file of readdirSync(join(root, 'src'), { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(root, 'src', file), 'utf8');
    for (const [, what, path] of text.matchAll(/^import (?!type\b)([^;]+?) from '([^']+)';/gm)) {
      if (found.get(path) === null) continue;
      const names = namesIn(what, text);
      found.set(path, names === null ? null : [...new Set([...(found.get(path) ?? []), ...names])]);
    }
  }
  return found;
}

/** Of `{ a, b as c }` a and b, of `* as z` what is called of it; null of a default. */
function namesIn(what, text) {
  const space = /^\* as (\w+)$/.exec(what)?.[1];
  if (space !== undefined) {
    return [...text.matchAll(new RegExp(`\\b${space}\\.([a-z_]\\w*)[(<]`, 'g'))].map(
      ([, name]) => name,
    );
  }
  const named = /^\{([^}]+)\}$/.exec(what)?.[1].split(',') ?? null;
  return (
    named &&
    named.map((one) => one.trim().split(' as ')[0]).filter((one) => !/^(type )|^$/.test(one))
  );
}

/**
 * Exports that load it when they are used: of a function one that calls it, of all else a Proxy. A
 * module of exports, so that the bundle puts no object around them and leaves out those that nobody uses.
 */
async function standIn(root, path, target, imported) {
  const real = await exportsOf(root, path);
  const names = Object.keys(real).filter(
    (name) => name !== 'default' && (imported?.includes(name) ?? /^[a-z_]\w*$/i.test(name)),
  );
  const isEsm = real[Symbol.toStringTag] === 'Module';
  const called = (name) =>
    /^[a-z_]/.test(name) && typeof real[name] === 'function'
      ? `(...given) => load().${name}(...given)`
      : `/* @__PURE__ */ late(() => load().${name})`;
  return [
    `import { late } from '${LATE_PROXY}';`,
    `const load = () => require(${JSON.stringify(target)});`,
    ...names.map((name) => `const ${name}_ = ${called(name)};`),
    `export { ${names.map((name) => `${name}_ as ${name}`).join(', ')} };`,
    `export default /* @__PURE__ */ late(() => load()${isEsm ? '.default' : ''});`,
  ].join('\n');
}

async function exportsOf(root, path) {
  const require = createRequire(join(root, 'package.json'));
  try {
    return require(path);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      throw error;
    return import(path);
  }
}

/** All of it, or the names that are imported. */
async function bundleLibrary(root, path, imported) {
  const whole = `module.exports = require(${JSON.stringify(path)});`;
  const names =
    imported && Object.keys(await exportsOf(root, path)).filter((one) => imported.includes(one));
  const some = `export { ${names?.join(', ')} } from ${JSON.stringify(path)};`;
  const made = await build({
    ...TARGET,
    absWorkingDir: root,
    stdin: { contents: names === null ? whole : some, resolveDir: root },
    bundle: true,
    format: 'cjs',
    // As modules, of which esbuild takes what is imported; the other form of some loads files by name.
    mainFields: ['module', 'main'],
    minify: true,
    metafile: true,
    write: false,
    plugins: [neverUsed()],
  });
  clean(made);
  return { code: asAscii(made.outputFiles[0].text), inputs: Object.keys(made.metafile.inputs) };
}

/** One zod for all programs and the protocols in them: zod.cjs. `names` gets what they use of it. */
function oneZod(names) {
  return {
    name: 'one-zod',
    setup({ onResolve }) {
      onResolve({ filter: /^zod(?:\/v4)?$/ }, ({ importer }) => {
        const text = readFileSync(importer, 'utf8');
        for (const [, space] of text.matchAll(/import \* as (\w+) from ['"]zod(?:\/v4)?['"]/g))
          for (const [, name] of text.matchAll(new RegExp(`\\b${space}\\.(\\w+)`, 'g')))
            names.add(name);
        return { path: './zod.cjs', external: true };
      });
    },
  };
}

function neverUsed() {
  return {
    name: 'never-used',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path }) =>
        NEVER.has(path) ? { path, namespace: 'never' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'never' }, ({ path }) => ({
        contents: `const never = () => { throw new Error('${path} is not part of this program'); };
          module.exports = { safeLoad: never, safeDump: never };`,
      }));
    },
  };
}

/** The licences of all packages that are in the bundle, as their authors want it. */
function licences(root, inputs) {
  const folders = [...inputs].flatMap((input) => {
    const at = input.lastIndexOf('node_modules/');
    return at === -1 ? [] : [input.slice(0, at + 13) + packageOf(input.slice(at + 13))];
  });
  const parts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`bundle: ${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
  });
  return `The files in this folder contain these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
