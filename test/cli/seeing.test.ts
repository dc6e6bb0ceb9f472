/** list, board and graph as a person sees them: exact lines at each width, filters, sorting, hostile titles. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { treeLines } from '../../src/cli/output/graph-tree.ts';
import { width } from '../../src/cli/output/text-width.ts';
import { graphOf } from '../../src/engine/queries/graph.ts';
import { dotGraph, mermaidGraph } from '../../src/task/text/markdown/mermaid.ts';
import { escapeText } from '../../src/task/text/markdown/escape-terminal.ts';
import { readDot } from '../support/dot.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';
import { openedAt } from '../support/opened.ts';

let room: string;
beforeEach(() => {
  room = sealedFolder('seeing');
  mkdirSync(join(room, '.contracts'));
});

const WIDTHS = [24, 40, 60, 80, 120, 200, 250];
const DAY_S = 86_400;

/** At a terminal of so many columns; into a pipe when none are given. */
const contracts = (columns: number | undefined, ...argv: string[]) =>
  saidHere(['-C', room, ...argv], {}, columns);

function put(state: string, id: string, title: string, head = '', age_s = 0): void {
  const folder = join(room, 'active_tasks', state, id);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'contract.md');
  const text = `---\ntitle: ${JSON.stringify(title)}\nverify: ["run: true"]\n${head}---\n\n## Objective\n\nThe aim of ${id}.\n\n## Success Criteria\n\n- [ ] \`true\` passes\n\n## Steps\n\n\`\`\`sh\ntrue\n\`\`\`\n`;
  writeFileSync(file, text);
  const at = Date.now() / 1000 - age_s - 5;
  utimesSync(file, at, at);
}

/** A board as people have one: long ids, other scripts, something in most states. */
function putAll(): void {
  put('draft', 'idle', 'A draft that nobody confirmed', 'priority: low\n', 40 * DAY_S);
  put(
    'ready',
    'after',
    'The one after it',
    'depends_on: [build_20261121_login_k3f9]\ntags: [web]\n',
  );
  put('ready', 'build_20261121_login_k3f9', 'Login endpoint with rate limits', 'plan: login\npriority: high\n', 3 * 3600); // prettier-ignore
  put('ready', 'lost', 'Waits for nothing that is', 'depends_on: nowhere\n', 120);
  put(
    'questions',
    'ask',
    '日本語のタイトル: データベースのスキーマを書く',
    'plan: login\n',
    2 * DAY_S,
  );
  put('review', 'look', 'Write the ✅ docs 👍🏽', 'tags: [web, docs]\nagent: writer\n', 7200);
  put('done', 'over', 'Over and done with', '', DAY_S);
}

describe('where no task is shown', () => {
  test('list and board tell of those that are over', async () => {
    put('done', 'over', 'Over and done with');
    put('done', 'too', 'Over too');
    put('aborted', 'given-up', 'Given up');
    const words = (verb: string) =>
      `No live tasks; 2 done, 1 aborted. See them: contracts ${verb} --all\n`;
    expect((await contracts(undefined, 'list')).out).toBe(words('list'));
    expect((await contracts(undefined, 'list', '--board')).out).toBe(words('list --board'));
  });

  test('--ids says nothing: whoever reads it would take words for ids', async () => {
    for (const narrowed of [[], ['--state', 'ready'], ['--all']]) {
      expect(await contracts(undefined, 'list', '--ids', ...narrowed)).toEqual({
        code: 0,
        out: '',
        err: '',
      });
    }
  });
});

describe('list', () => {
  test('at 60 cells', async () => {
    putAll();
    expect((await contracts(60, 'list')).out).toMatchInlineSnapshot(`
      "!   questions  日本語のタイトル: デー…   2d   there is no q…
      !   review     Write the ✅ docs 👍🏽      2h   there is no r…
      !   ready      Waits for nothing that …  2m   depends on no…
      !↓  draft      A draft that nobody con…  40d  not confirmed…
       ↑  ready      Login endpoint with rat…  3h   next step: ca…
          ready      The one after it          now  waits for log…
      "
    `);
  });

  test('at 80 cells', async () => {
    putAll();
    expect((await contracts(80, 'list')).out).toMatchInlineSnapshot(`
      "!   questions  ask    日本語のタイトル: デー…   2d   builder  there is no quest…
      !   review     look   Write the ✅ docs 👍🏽      2h   writer   there is no resul…
      !   ready      lost   Waits for nothing that …  2m   builder  depends on nowher…
      !↓  draft      idle   A draft that nobody con…  40d  builder  not confirmed yet
       ↑  ready      login  Login endpoint with rat…  3h   builder  next step: calls …
          ready      after  The one after it          now  builder  waits for login (…
      "
    `);
  });

  test('at 120 cells', async () => {
    putAll();
    expect((await contracts(120, 'list')).out).toMatchInlineSnapshot(`
      "!   questions  ask    日本語のタイトル: データベースのス…  2d   builder              there is no questions.md
      !   review     look   Write the ✅ docs 👍🏽                 2h   writer   #web #docs  there is no result.md
      !   ready      lost   Waits for nothing that is            2m   builder              depends on nowhere, which does not…
      !↓  draft      idle   A draft that nobody confirmed        40d  builder  low         not confirmed yet
       ↑  ready      login  Login endpoint with rate limits      3h   builder  high        next step: calls builder
          ready      after  The one after it                     now  builder  #web        waits for login (ready)
      "
    `);
  });

  test('into a pipe: nothing is cut', async () => {
    putAll();
    expect((await contracts(undefined, 'list', '--all')).out).toMatchInlineSnapshot(`
      "!   questions  ask    日本語のタイトル: データベースのスキーマを書く  2d   builder              there is no questions.md
      !   review     look   Write the ✅ docs 👍🏽                            2h   writer   #web #docs  there is no result.md
      !   ready      lost   Waits for nothing that is                       2m   builder              depends on nowhere, which does not exist
      !↓  draft      idle   A draft that nobody confirmed                   40d  builder  low         not confirmed yet
       ↑  ready      login  Login endpoint with rate limits                 3h   builder  high        next step: calls builder
          ready      after  The one after it                                now  builder  #web        waits for login (ready)
          done       over   Over and done with                              1d   builder              done by hand, no receipts
      "
    `);
  });

  test('no line is wider than the terminal, however long ids and titles are', async () => {
    putAll();
    put('blocked', 'x'.repeat(64), '長'.repeat(300));
    for (const columns of WIDTHS) {
      const { out } = await contracts(columns, 'list', '--all');
      const rows = out
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('  ') || columns >= 60);
      expect(rows.length).toBeGreaterThanOrEqual(columns < 60 ? 5 : 8);
      expect(columns < 60 || rows.length === 8).toBe(true);
      for (const line of out.split('\n')) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });

  test.each<[string[], string[]]>([
    [[], ['idle', 'after', 'build_20261121_login_k3f9', 'lost', 'ask', 'look']],
    [['--all'], ['idle', 'after', 'build_20261121_login_k3f9', 'lost', 'ask', 'look', 'over']],
    [
      ['--state', 'ready', '--state', 'done'],
      ['after', 'build_20261121_login_k3f9', 'lost', 'over'],
    ],
    [['--agent', 'writer'], ['look']],
    [
      ['--plan', 'login'],
      ['build_20261121_login_k3f9', 'ask'],
    ],
    [
      ['--tag', 'web'],
      ['after', 'look'],
    ],
    [
      ['--tag', 'docs', '--tag', 'web'],
      ['after', 'look'],
    ],
    [['LOGIN'], ['build_20261121_login_k3f9']],
    [['one', 'after'], ['after']],
    [['aim', 'of', 'idle'], ['idle']],
    [['--plan', 'login', '--state', 'questions'], ['ask']],
    [['--waits-for', 'task'], ['after']],
    [
      ['--waits-for', 'me'],
      ['idle', 'ask', 'look', 'lost'],
    ],
    [['no', 'such', 'words'], []],
  ])('%j', async (flags, ids) => {
    putAll();
    const { out, code } = await contracts(undefined, 'list', '--ids', ...flags);
    expect(code).toBe(0);
    expect(out).toBe(ids.map((id) => `${id}\n`).join(''));
  });

  test.each([
    [['--sort', 'age'], 'It is now: contracts list'],
    [['--graph', 'pie'], '--graph takes tree, mermaid, dot'],
    [['--waits-for', 'godot'], '--waits-for takes me, person'],
    [['--graph', '--problems'], '--graph shows all live tasks'],
    [['--graph', 'dot', 'login'], '--graph shows all live tasks'],
  ])('%j is refused with what there is', async (flags, words) => {
    const { code, err } = await contracts(80, 'list', ...flags);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

describe('list --search', () => {
  test('looks into every file of tasks, ended and archived ones too', async () => {
    putAll();
    put('done', 'old', 'Old', 'tags: [web]\n');
    await contracts(undefined, 'archive', 'old');
    const file = (path: string, text: string): void => putFile(join(room, path), text);
    file('active_tasks/ready/lost/notes/one.md', 'Ask the *Brewery* first');
    file('active_tasks/questions/ask/questions.md', '1. Which brewery? first or last');
    file('active_tasks/review/look/attempts/0001/review.md', 'FIRST the brewery');
    file('active_tasks/done/over/result.md', 'The brewery is first');
    file('.contracts/archive/old/result.md', 'brewery, first');
    file('active_tasks/ready/after/result.md', 'the brewery alone');
    file('active_tasks/ready/after/attempts/0001/desk/result.md', 'first');
    const ids = async (...more: string[]): Promise<string[]> => {
      const { out } = await contracts(undefined, 'list', '--ids', '--search', 'First BREWERY', ...more); // prettier-ignore
      return out.trim().split('\n');
    };
    expect(await ids()).toEqual(['lost', 'ask', 'look', 'over', 'old']);
    expect(await ids('--state', 'ready')).toEqual(['lost']);
    expect(await ids('--tag', 'web')).toEqual(['look', 'old']);
    const { out } = await contracts(undefined, 'list', '--search', 'first brewery', '--json');
    const last = JSON.parse(out.trim().split('\n').at(-1) ?? '') as unknown;
    expect(last).toMatchObject({ id: 'old', state: 'done', reason: 'archived', archived: true });
    expect((await contracts(undefined, 'list', '--search', 'brewery none')).out).toContain(
      'No task matches.',
    );
  });
});

describe('what needs me', () => {
  test('is first and has a sign, then what can start, then what waits; by priority and age', async () => {
    put('ready', 'waits', 'Waits', 'depends_on: [starts]\npriority: critical\n');
    put('ready', 'starts', 'Starts', '', 60);
    put('ready', 'older', 'Older', '', 3600);
    put('ready', 'urgent', 'Urgent', 'priority: high\n');
    put('draft', 'plan-it', 'A draft', 'priority: critical\n', DAY_S);
    put('questions', 'asks', 'Asks', '', 60);
    put('review', 'judge', 'Judge', '', 3600);
    put('review', 'stuck', 'Stuck', 'priority: high\n');
    const { out } = await contracts(undefined, 'list');
    const rows = out.trimEnd().split('\n').map((line) => [line.slice(0, 2).trim(), line.slice(2).trim().split(/ +/)[1]]); // prettier-ignore
    expect(rows).toEqual([
      ['!↑', 'stuck'],
      ['!', 'asks'],
      ['!', 'judge'],
      ['!↑', 'plan-it'],
      ['↑', 'urgent'],
      ['', 'older'],
      ['', 'starts'],
      ['↑', 'waits'],
    ]);
    for (const line of out.split('\n').filter((one) => one.includes('waits')))
      expect(line).toContain('waits for starts (ready)');
  });

  test('a task in a person’s hands names them, and a state is written as words', async () => {
    put('in_progress', 'held', 'Held');
    put('ready', 'next', 'Next', 'depends_on: [held]\n');
    const { out } = await contracts(undefined, 'list', 'next');
    expect(out).toContain('waits for held (in progress)');
  });
});

describe('board', () => {
  test('at 60 cells one under another, as into a pipe, where nothing is cut', async () => {
    putAll();
    const piped = await contracts(undefined, 'list', '--board');
    expect(await contracts(60, 'list', '--board')).toEqual(piped);
    expect(piped.out).toMatchInlineSnapshot(`
      "draft (1)
      ────────────────────────────────────────────────
      ! A draft that nobody confirmed
        idle  40d low builder

      ready (3)
      ────────────────────────────────────────────────
      ! Waits for nothing that is
        lost  2m builder
        Login endpoint with rate limits
        login  3h high builder
        The one after it
        after  now builder

      questions (1)
      ────────────────────────────────────────────────
      ! 日本語のタイトル: データベースのスキーマを書く
        ask  2d builder

      review (1)
      ────────────────────────────────────────────────
      ! Write the ✅ docs 👍🏽
        look  2h writer

      Empty: in_progress, blocked
      "
    `);
  });

  test('at 80 cells', async () => {
    putAll();
    expect((await contracts(80, 'list', '--board')).out).toMatchInlineSnapshot(`
      "draft (1)                                ready (3)
      ───────────────────────────────────────  ───────────────────────────────────────
      ! A draft that nobody confirmed          ! Waits for nothing that is
        idle  40d low builder                    lost  2m builder
                                                 Login endpoint with rate limits
                                                 login  3h high builder
                                                 The one after it
                                                 after  now builder

      questions (1)                            review (1)
      ───────────────────────────────────────  ───────────────────────────────────────
      ! 日本語のタイトル: データベースのスキ…  ! Write the ✅ docs 👍🏽
        ask  2d builder                          look  2h writer

      Empty: in_progress, blocked
      "
    `);
  });

  test('at 120 cells', async () => {
    putAll();
    expect((await contracts(120, 'list', '--board', '--all')).out).toMatchInlineSnapshot(`
      "draft (1)                               ready (3)                               questions (1)
      ──────────────────────────────────────  ──────────────────────────────────────  ──────────────────────────────────────
      ! A draft that nobody confirmed         ! Waits for nothing that is             ! 日本語のタイトル: データベースのス…
        idle  40d low builder                   lost  2m builder                        ask  2d builder
                                                Login endpoint with rate limits
                                                login  3h high builder
                                                The one after it
                                                after  now builder

      review (1)                              done (1)
      ──────────────────────────────────────  ──────────────────────────────────────
      ! Write the ✅ docs 👍🏽                    Over and done with
        look  2h writer                         over  1d builder

      Empty: in_progress, blocked, aborted
      "
    `);
  });

  test('no line is wider than the terminal, and a long column says what it left out', async () => {
    putAll();
    put('ready', 'x'.repeat(64), '長'.repeat(300));
    for (let i = 0; i < 30; i++) put('blocked', `b${i}`, `Number ${i}`);
    for (const columns of WIDTHS) {
      const { out } = await contracts(columns, 'list', '--board', '--all');
      expect(out).toContain('… 10 more');
      for (const line of out.split('\n')) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });

  test('without tasks it says what to do', async () => {
    expect((await contracts(80, 'list', '--board')).out).toContain('contracts new');
  });
});

describe('show, doctor and paths', () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve';

  test('show and doctor are wrapped at a terminal and whole in a pipe', async () => {
    put('ready', 'long', `${words} ${words}`);
    for (const columns of WIDTHS) {
      for (const verb of [['show', 'long'], ['doctor'], ['step', '--dry-run']]) {
        const { out, err } = await contracts(columns, ...verb);
        const lines = `${out}${err}`.split('\n').filter((line) => !line.includes('/'));
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
      }
    }
    expect((await contracts(60, 'show', 'long')).out).toContain('nine ten eleven\n  twelve one');
    expect((await contracts(undefined, 'show', 'long')).out).toContain(`${words} ${words}\n`);
  });

  test('findings of many lines are cut at a terminal, and it says how many are left', async () => {
    put('review', 'look', 'Look');
    const attempt = join(room, 'active_tasks/review/look/attempts/0001');
    mkdirSync(attempt, { recursive: true });
    writeFileSync(
      join(attempt, 'outcome.md'),
      '---\nv: 1\nattempt: 1\nkind: review\noutcome: needs_work\nreason: much\nat: 2026-11-21T12:00:00Z\n---\n',
    );
    const findings = Array.from({ length: 50 }, (_, i) => `- finding ${i + 1}`).join('\n');
    writeFileSync(
      join(attempt, 'review.md'),
      `# Review\n\n## Verdict\n\n- [x] NEEDS_WORK\n\n## Findings\n\n${findings}\n`,
    );
    const seen = (await contracts(80, 'show', 'look')).out;
    expect(seen).toContain('- finding 20\n        … 30 lines more: see active_tasks/review/look');
    expect(seen).not.toContain('- finding 21');
    expect((await contracts(undefined, 'show', 'look')).out).toContain('- finding 50');
  });

  test('paths are printed as they are opened from the folder; data is below the root', async () => {
    mkdirSync(join(room, 'deep/er'), { recursive: true });
    await contracts(80, 'init');
    const argv = ['-C', join(room, 'deep/er'), 'new', 'Hello', '--id', 'hello', '--run', 'true'];
    expect((await contracts(80, ...argv)).out).toBe('../../active_tasks/draft/hello/contract.md\n');
    const json = (await contracts(80, '-C', join(room, 'deep'), 'show', 'hello', '--json')).out;
    expect(JSON.parse(json)).toMatchObject({ folder: 'active_tasks/draft/hello' });
    const shown = (await contracts(80, '-C', join(room, 'deep'), 'show', 'hello')).out;
    expect(shown).toContain('draft  ../active_tasks/draft/hello\n');
    writeFileSync(join(room, 'active_tasks/draft/hello/contract.md'), '---\n: [\n---\n');
    const { err } = await contracts(80, '-C', join(room, 'deep'), 'doctor');
    expect(err).toContain('../active_tasks/draft/hello/contract.md:');
  });
});

const HOSTILE = [
  'quotes " and \' and `',
  '"]; t0 --> t1; x["',
  '"]:::done',
  '"; "evil" -> "idle"; x [label="',
  'back\\slash \\N \\',
  '<b onmouseover="alert(1)">bold</b><script>alert(1)</script>',
  '&quot;&#34; #quot; #34;',
  '(a) {b} [c] |d| <e>',
  '%%{init: {"theme":"dark"}}%%',
  'click t0 "javascript:alert(1)"',
  'end',
  'line\nbreak\r\u2028and \u001b[2J and \u202e',
];

describe('graph', () => {
  function putGraph(): void {
    HOSTILE.forEach((title, i) => put('ready', `h${i}`, title, i === 0 ? '' : 'depends_on: h0\n'));
    put('draft', 'a', 'In a ring', 'depends_on: [c]\n');
    put('draft', 'b', 'In a ring', 'depends_on: [a, nowhere, over]\n');
    put('draft', 'c', 'In a ring', 'depends_on: [b]\n');
    put('done', 'over', 'Over');
  }

  const EDGES = [
    ...HOSTILE.slice(1).map((_, i) => `h0 -> h${i + 1}`),
    'c -> a',
    'a -> b',
    'nowhere -> b',
    'over -> b',
    'b -> c',
  ].sort();

  test('as a tree: each task once, below what it waits for; cycles end', async () => {
    putGraph();
    put('ready', 'top', 'Top', 'priority: high\n', 60);
    put('ready', 'left', 'Left', 'depends_on: [top]\n', 50);
    put('ready', 'right', 'Right', 'depends_on: [top]\n', 40);
    put('ready', 'both', 'Both', 'depends_on: [left, right]\n', 30);
    put('ready', 'alone', 'Alone');
    const { out, err } = await contracts(120, 'list', '--graph');
    const lines = out.trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('Top'));
    expect(lines.slice(at, at + 4).map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
      'Top ready builder top',
      '├─ Left ready builder left',
      '│ └─ Both ready builder both also after right',
      '└─ Right ready builder right',
    ]);
    const shown = (id: string): number =>
      lines.filter((line) => new RegExp(` ${id}(?:  |$)`).test(line.replace(/also .*/, ''))).length;
    for (const id of ['a', 'b', 'c', 'h0', 'h11']) expect(shown(id), id).toBe(1);
    expect(shown('alone')).toBe(0);
    expect(out).toMatch(/nowhere +does not exist/);
    expect(out).not.toContain('Over');
    expect(lines).toHaveLength(HOSTILE.length + 3 + 1 + 4);
    expect(err).toContain('These wait for each other');
    for (const columns of WIDTHS) {
      const narrow = (await contracts(columns, 'list', '--graph')).out;
      for (const line of narrow.split('\n')) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });

  test('a chain of ten thousand is drawn without recursion', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => `t${i}`);
    const nodes = ids.map((id) => ({ id, title: id, state: 'ready' as const }));
    const edges = ids.slice(1).map((to, i) => ({ from: `t${i}`, to, on_cycle: false }));
    expect(treeLines({ nodes, edges, cycles: [] }, [], 80)).toHaveLength(ids.length);
  });

  test('DOT: hostile titles are labels and nothing else', async () => {
    putGraph();
    const { out, err } = await contracts(80, 'list', '--graph', 'dot');
    const read = readDot(out);
    expect(read.edges.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual(EDGES);
    expect(read.nodes).toHaveLength(HOSTILE.length + 5);
    HOSTILE.forEach((title, i) => {
      const { label } = read.nodes.find(({ id }) => id === `h${i}`) ?? { label: '' };
      expect(label).toBe(`h${i}\n${escapeText(title)}\nready`);
    });
    expect(read.nodes.find(({ id }) => id === 'nowhere')?.label).toBe('nowhere\ndoes not exist');
    const ring = read.edges.filter(({ label }) => label === 'cycle');
    expect(ring.map(({ from }) => from).sort()).toEqual(['a', 'b', 'c']);
    expect(err).toMatch(/^These wait for each other: (\w) → \w → \w → \1\n$/);
  });

  test('Mermaid: in labels stand letters and entities only, and the links are those of the tasks', async () => {
    putGraph();
    const { out } = await contracts(80, 'list', '--graph', 'mermaid');
    const [first, ...lines] = out.trimEnd().split('\n');
    expect(first).toBe('flowchart LR');
    const ids = new Map<string, string>();
    const links: string[] = [];
    for (const line of lines) {
      const node = /^ {2}(t\d+)\["([a-z0-9_-]+)(?:<br\/>(?:[\p{L}\p{M}\p{N} ]|#\d+;)*)+"\]:::\w+$/u.exec(line); // prettier-ignore
      const link = /^ {2}(t\d+) (?:-->|-\. cycle \.->) (t\d+)$/.exec(line);
      if (node !== null) ids.set(node[1] ?? '', node[2] ?? '');
      else if (link !== null) links.push(`${ids.get(link[1] ?? '')} -> ${ids.get(link[2] ?? '')}`);
      else expect(line).toMatch(/^ {2}classDef \w+ [\w#:,-]+$/);
    }
    expect(links.sort()).toEqual(EDGES);
    expect(ids.size).toBe(HOSTILE.length + 5);
    expect(out.match(/-\. cycle \.->/g)).toHaveLength(3);
  });

  test('a task without links is left out; the library gives the same', async () => {
    put('ready', 'alone', 'Alone');
    put('ready', 'first', 'First');
    put('ready', 'then', 'Then', 'depends_on: first\n');
    expect((await contracts(80, 'list', '--graph')).out).not.toContain('alone');
    const graph = graphOf(openedAt(room));
    expect(graph.nodes.map(({ id }) => id)).toEqual(['first', 'then']);
    expect((await contracts(80, 'list', '--graph', 'mermaid')).out).toBe(
      `${mermaidGraph(graph)}\n`,
    );
    expect((await contracts(80, 'list', '--graph', 'dot')).out).toBe(`${dotGraph(graph)}\n`);
    const json = JSON.parse((await contracts(80, 'list', '--graph', '--json')).out) as unknown;
    expect(json).toMatchObject({ event: 'graph', edges: [{ from: 'first', to: 'then' }] });
  });
});
