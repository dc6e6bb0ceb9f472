// Rules of the linter that know the layout of src: which folder and which room may import which, what core and
// text may import, and how folders are filled. docs/architecture.md describes the layout. And what a doc comment
// begins with.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** Lower first: each imports only those before it; the core/ and text/ of a foundation serve all foundations. */
const FOUNDATIONS =
  'task process git clients workspace agents trust worktrees permissions sandbox'.split(' ');
const CAPABILITIES =
  'squads checkpoints plans delegation commits workflows teams router mcp machines exchange memory assumptions sessions stats page demo ledger'.split(
    ' ',
  );
const ORDER = [...FOUNDATIONS, 'engine', 'cli', ...CAPABILITIES];
/** The order of the rooms in a folder, lower first; types count as imports. */
const ROOMS = {
  engine:
    'core cache attempt board brief call verify preflight setup work review merge step queries commands doctor',
  cli: 'schema streams output terminal prompts board commands startup',
  'engine/core': 'events words decide judge',
  'permissions/engine': 'enforce audit',
  'task/store': 'disk tasks snapshots',
  'task/text': 'markdown yaml documents',
  clients: 'core calls claude codex gemini opencode adapters acp',
  workspace: 'open tasks',
};
/** In any other folder. Rooms of other names are not ordered; capability.ts joins the rooms of its capability. */
const USUAL_ROOMS = 'core text store engine cli';
const MAX_FILES = 25;

/** Its path from src/. */
const pathOf = (file) => file.replaceAll('\\', '/').split('/src/').at(-1);

/** The facts of a client are data in its folder: as imports they count as core. */
const asRoom = (path) => path.replace(/^clients\/[^/]+\/record\.ts$/, 'clients/core/record.ts');

const isPure = (path) => /\/core\//.test(path);
const isShared = (path) =>
  FOUNDATIONS.includes(path.split('/')[0]) && /\/(?:core|text)\//.test(path);

/** What is wrong with an import between two rooms of a folder, or undefined. Both paths from src/. */
function wrongRoom(from, to) {
  const [mine, theirs] = [from.split('/'), to.split('/')];
  const at = mine.findIndex((part, i) => part !== theirs[i]);
  if (at < 1 || at >= mine.length - 1 || at >= theirs.length - 1) return undefined;
  const folder = mine.slice(0, at).join('/');
  const listed = ROOMS[folder];
  if (listed === undefined && mine.at(-1) === 'capability.ts') return undefined;
  const rooms = (listed ?? USUAL_ROOMS).split(' ');
  const places = [rooms.indexOf(mine[at]), rooms.indexOf(theirs[at])];
  if (places.includes(-1))
    return listed && `a room of ${folder}/ is not in its order (scripts/house-lint.mjs)`;
  if (places[1] < places[0]) return undefined;
  return `in ${folder}/, ${mine[at]}/ is below ${theirs[at]}/: it cannot import ${to}`;
}

/** What is wrong with an import, or undefined. Both paths from src/. */
function wrongImport(source, target) {
  const [from, to] = [asRoom(source), asRoom(target)];
  const [own, other] = [from.split('/')[0], to.split('/')[0]];
  if (from === 'capabilities.ts' || from === 'index.ts') return undefined;
  if (isPure(from) && !isPure(to)) return `core is pure: it cannot import ${to}`;
  if (to === 'capabilities.ts')
    return /^cli\/startup\/(?:program|after-verb)\.ts$/.test(from)
      ? undefined
      : 'only the command and the library open all capabilities';
  const [mine, theirs] = [ORDER.indexOf(own), ORDER.indexOf(other)];
  if (theirs === mine) return wrongRoom(from, to);
  if (theirs < mine) return undefined;
  if (FOUNDATIONS.includes(own) && isShared(to)) return undefined;
  return `${own}/ is below ${other}/: it cannot import ${to}`;
}

const imports = {
  create(context) {
    const path = pathOf(context.filename);
    const look = (node) => {
      const source = node.source?.value;
      if (typeof source !== 'string') return;
      if (!source.startsWith('.')) {
        if (isPure(path) && source.startsWith('node:')) {
          context.report({ node, message: `core is pure: it cannot import ${source}` });
        }
        return;
      }
      const to = normalize(join(dirname(path), source)).replaceAll('\\', '/');
      const wrong = wrongImport(path, to);
      if (wrong !== undefined) context.report({ node, message: wrong });
    };
    return {
      ImportDeclaration: look,
      ExportNamedDeclaration: look,
      ExportAllDeclaration: look,
      ImportExpression: look,
    };
  },
};

const places = {
  create(context) {
    return {
      Program(node) {
        const folder = dirname(context.filename);
        const path = pathOf(context.filename);
        if (!path.includes('/')) return;
        const entries = readdirSync(folder, { withFileTypes: true });
        const files = entries.filter((one) => one.isFile()).map(({ name }) => name);
        const rooms = entries.filter((one) => one.isDirectory()).map(({ name }) => name);
        if (files.toSorted()[0] !== relative(folder, context.filename)) return;
        if (files.length > MAX_FILES) {
          context.report({
            node,
            message: `${files.length} files in a folder, at most ${MAX_FILES}`,
          });
        }
        const others = rooms.filter((name) => name !== 'core' || files.length >= 10);
        if (others.length > 0) {
          context.report({
            node,
            message: `files belong in the rooms of this folder: ${others.join(', ')}`,
          });
        }
      },
    };
  },
};

const STARTERS = new Set(['spawn', 'spawnSync', 'execFileSync', 'runDetached', 'runInTerminal']);

/** The program of a start where it is written there: itself, the first word of a list, or of `argv`. */
const programIn = (node) => {
  if (node?.type === 'ArrayExpression') return programIn(node.elements[0]);
  if (node?.type !== 'ObjectExpression') return node;
  const named = node.properties.find((one) => one.key?.name === 'argv');
  return named === undefined ? undefined : programIn(named.value);
};

/** A name without a path is looked for on PATH, which may lead into files that agents write. */
const starts = {
  create(context) {
    return {
      CallExpression(node) {
        const name = node.callee.name ?? node.callee.property?.name;
        const { type, value, quasis } = (STARTERS.has(name) && programIn(node.arguments[0])) || {};
        const text = type === 'TemplateLiteral' ? quasis[0].value.raw : value;
        if (typeof text !== 'string' || text.startsWith('/')) return;
        context.report({ node, message: `${text} is started by its name: take ws.programs.find` });
      },
    };
  },
};

/** What a test makes lies in the folder of its file, which goes by itself and above which nobody looks. */
const sealed = {
  create(context) {
    return {
      CallExpression(node) {
        const name = node.callee.name ?? node.callee.property?.name;
        if (!['mkdtemp', 'mkdtempSync', 'tmpdir'].includes(name)) return;
        context.report({ node, message: `${name} in a test: take sealedFolder` });
      },
    };
  },
};

/** A test is played, unless the machine lacks what it needs: `runIf` and `skipIf` ask. seal.ts leaves out what a commit does not play. */
const played = {
  create(context) {
    const report = (node, name) =>
      context.report({ node, message: `${name}: a test is left out by runIf alone, which asks` });
    const look = (node, { name, value }, all = ['only', 'skip', 'todo', 'fails']) => {
      if (all.includes(name ?? value)) report(node, name ?? value);
    };
    return {
      MemberExpression: (node) => look(node, node.property),
      // What a test takes from its context, and its options: the other two may be of something else.
      Property: (node) =>
        look(node, node.key, node.value.value === true ? undefined : ['skip', 'todo']),
      CallExpression({ callee, arguments: [asked] }) {
        const isAsking = ['runIf', 'skipIf'].includes(callee.property?.name);
        if (isAsking && asked?.type === 'Literal') report(asked, asked.raw);
      },
    };
  },
};

/** A doc comment is a sentence with a subject: it does not begin with a word that stands for one. */
const RIDDLE =
  /^(?:It|They|Them|Those|These|That|What|Whatever|Which|Who|Whom|Whose|Whether|Where|Of|Also|Not|The (?:same|others?)|All but)\b/;

/** How many doc comments of a file still begin so. The numbers only fall. */
const RIDDLES = JSON.parse(readFileSync(new URL('doc-comments.json', import.meta.url), 'utf8'));

const comments = {
  create(context) {
    return {
      Program(node) {
        const found = context.sourceCode.getAllComments().filter(isRiddle);
        const path = pathOf(context.filename);
        const known = RIDDLES[path] ?? 0;
        const count = `${found.length} doc comments of this file do not`;
        if (found.length > known)
          for (const { loc } of found) {
            const message = `a doc comment begins with a noun or a verb; ${count}, at most ${known}`;
            context.report({ loc, message });
          }
        if (found.length < known)
          context.report({
            node,
            message: `lower ${path} in scripts/doc-comments.json to ${found.length}`,
          });
      },
    };
  },
};

/** Why a file of src reads the clock of the machine, a reason for each place. No reason is added. */
const CLOCKS = JSON.parse(readFileSync(new URL('clocks.json', import.meta.url), 'utf8'));
const READS = new Set(['Date.now', 'performance.now', 'process.hrtime']);

/** Times come from `ws.machine.now()` and `ws.elapsed_ms()`, which a test sets. */
const clocks = {
  create(context) {
    const path = pathOf(context.filename);
    const found = [];
    const date = (node) => {
      if (node.callee.name === 'Date' && node.arguments.length === 0) found.push(node);
    };
    return {
      CallExpression: date,
      NewExpression: date,
      MemberExpression(node) {
        if (READS.has(`${node.object.name}.${node.property.name}`)) found.push(node);
      },
      ImportDeclaration(node) {
        const isElapsed = node.source.value.endsWith('/elapsed.ts');
        if (isElapsed && !path.startsWith('process/')) found.push(node);
      },
      'Program:exit'(program) {
        const known = CLOCKS[path]?.length ?? 0;
        if (found.length > known)
          for (const node of found)
            context.report({ node, message: 'the clock of the machine: take that of ws' });
        if (found.length < known)
          context.report({
            node: program,
            message: `take a reason of ${path} out of scripts/clocks.json`,
          });
      },
    };
  },
};

/** The clients, by the folders with a record. */
const CLIENTS = readdirSync(new URL('../src/clients/', import.meta.url)).filter((name) =>
  existsSync(new URL(`../src/clients/${name}/record.ts`, import.meta.url)),
);
/** The two lists that all others are made of, and the facts themselves. */
const MAY_NAME = /^clients\/(?:core\/records|adapters\/clients|[^/]+\/record)\.ts$/;

/** What differs from client to client is a field of its record: comments, too, name one client at most. */
const clients = {
  create(context) {
    return {
      Program(node) {
        if (MAY_NAME.test(pathOf(context.filename))) return;
        const text = context.sourceCode.text.toLowerCase();
        const named = CLIENTS.filter((name) => text.includes(name));
        if (named.length < 2) return;
        const message = `it names ${named.join(' and ')}: make it a field of src/clients/*/record.ts`;
        context.report({ node, message });
      },
    };
  },
};

function isRiddle({ type, value }) {
  return type === 'Block' && value.startsWith('*') && RIDDLE.test(value.replace(/^[\s*]+/, ''));
}

export default {
  meta: { name: 'house' },
  rules: { clients, clocks, comments, imports, places, played, sealed, starts },
};
