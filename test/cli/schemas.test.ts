/**
 * The JSON Schemas of the package: they are what the shapes make, they accept what the tool accepts
 * and refuse what it refuses. What the verbs print is held against them wherever a test prints it
 * (support/json-lines.ts); here every kind of line is known to be among them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { makeOutput } from '../../src/cli/output/output.ts';
import { configSchema } from '../../src/task/core/model/policy.ts';
import { NAMED_PARTS } from '../../scripts/schemas.ts';
import { parseContract } from '../../src/task/text/documents/contract.ts';
import { parseResult, parseReview, parseStatus } from '../../src/task/text/documents/documents.ts';
import { readFrontMatter } from '../../src/task/text/yaml/front-matter.ts';
import { readYaml } from '../../src/task/text/yaml/yaml-head.ts';
import { listCases } from '../support/golden-case.ts';
import { checkedLine, lineSchema, SCHEMAS, shippedSchema } from '../support/json-lines.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

interface NamedFile {
  readonly file: string;
  readonly text: string;
}

/** All files of that name below these folders. */
function filesNamed(name: string, ...folders: string[]): NamedFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => basename(path) === name)
      .map((path) => join(folder, path))
      .map((file) => ({ file, text: readFileSync(join(project, file), 'utf8') })),
  );
}

/** All files of that name in the golden cases, before and after. */
function filesOfCases(name: string): NamedFile[] {
  return listCases().flatMap(({ name: one, text: { before, after } }) => {
    const all = new Map([
      ...before.map(({ path, bytes }) => [path, bytes.toString()] as const),
      ...[...after.files].map(([path, text]) => [`after/${path}`, text ?? ''] as const),
    ]);
    return [...all]
      .filter(([path]) => basename(path) === name)
      .map(([path, text]) => ({ file: `${one}: ${path}`, text }));
  });
}

/** Of the front matter or the YAML file as it is written. */
function fits(name: string, head: string): boolean {
  const read =
    name === 'config' ? readYaml(head, 'x') : readFrontMatter(`---\n${head}\n---\n`, 'x');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  // As an editor has it: plain objects.
  return shippedSchema(name)(JSON.parse(JSON.stringify(read.value.head)));
}

describe('schemas/', () => {
  test('is what `npm run schemas` makes of the shapes', () => {
    const ran = spawnSync(process.execPath, ['scripts/make-schemas.mjs', '--check'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(ran.stderr).toBe('');
    expect(ran.status).toBe(0);
  });

  test('has one schema for each shape, each draft 7 by its own words, each with a name', () => {
    const files = readdirSync(join(project, 'schemas')).sort();
    expect(files).toEqual(
      Object.keys(SCHEMAS)
        .map((name) => `${name}.schema.json`)
        .sort(),
    );
    for (const file of files) {
      const schema = JSON.parse(readFileSync(join(project, 'schemas', file), 'utf8')) as object;
      const ajv = new Ajv();
      expect(ajv.validateSchema(schema), file).toBe(true);
      expect(schema).toMatchObject({
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: `urn:agent-contracts:v1:${file.replace('.schema.json', '')}`,
      });
    }
    expect(Object.keys(NAMED_PARTS)).toEqual(['problem']);
  });
});

describe('lines', () => {
  const events = lineSchema.options.map((option) => option.shape.event.value);

  test('each event is in docs/reference/json.md, and no other is', () => {
    const doc = readFileSync(join(project, 'docs/reference/json.md'), 'utf8');
    const told = [...doc.matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1] ?? '');
    expect(told.toSorted()).toEqual(events.toSorted());
  });

  test.each([
    ['without v', '{"event":"lost_race","task":"a","reason":"r"}'],
    ['of another version', '{"v":2,"event":"lost_race","task":"a","reason":"r"}'],
    ['of an event that nobody documented', '{"v":1,"event":"surprise","task":"a"}'],
    ['without a key that it must have', '{"v":1,"event":"lost_race","task":"a"}'],
    ['with a key of another type', '{"v":1,"event":"lost_race","task":"a","reason":1}'],
    ['with a word that is no state', '{"v":1,"event":"planned","task":"a","action":{"kind":"x"}}'],
  ])('a line %s is refused by the schema itself', (_how, line) => {
    expect(() => checkedLine(line)).toThrow('not of schemas/lines.schema.json');
  });

  test('a key that nobody documented fits an older reader, and fails our tests', () => {
    const line = '{"v":1,"event":"lost_race","task":"a","reason":"r","more":true}';
    expect(shippedSchema('lines')(JSON.parse(line))).toBe(true);
    expect(() => checkedLine(line)).toThrow('not of the shapes of lines');
  });

  test('what is not in the shapes does not compile', () => {
    const said: string[] = [];
    const out = makeOutput({ out: (text) => void said.push(text), err: () => undefined }, true);
    const wide = { task: 'a', reason: 'r', more: true };
    // @ts-expect-error there is no such event
    out.data({ v: 1, event: 'surprise' });
    // @ts-expect-error a key is missing
    out.data({ v: 1, event: 'lost_race', task: 'a' });
    // @ts-expect-error a key is too much, also one that is spread into it
    out.data({ v: 1, event: 'lost_race', ...wide });
    out.data({ v: 1, event: 'lost_race', task: 'a', reason: 'r' });
    expect(said).toHaveLength(4);
  });
});

describe('contract', () => {
  const files = [
    ...filesOfCases('contract.md'),
    ...filesNamed('contract.md', 'active_tasks.example', 'scripts/example'),
  ];

  test('accepts every contract of the cases and of the example that the tool accepts', () => {
    let accepted = 0;
    for (const { file, text } of files) {
      if (!parseContract(text, file).ok) continue;
      const front = readFrontMatter(text, file);
      if (!front.ok || !front.value.present) continue;
      const validate = shippedSchema('contract');
      const fitting = validate(JSON.parse(JSON.stringify(front.value.head)));
      expect(fitting, `${file} ${JSON.stringify(validate.errors)}`).toBe(true);
      accepted++;
    }
    expect(accepted).toBeGreaterThan(150);
  });

  const BODY = '\n## Objective\n\nIt\n\n## Success Criteria\n\n- [ ] It is there\n';
  test.each([
    ['title: Say hello', true],
    ['v: 1\ntype: story\npriority: high', true],
    ['depends_on: a-task', true],
    ['depends_on: [a-task, another_one]', true],
    ['timeout: 90s', true],
    ['timeout: 10m\nretries_max: 0', true],
    ['verify: [checklist, "run: npm test", { file_exists: a.txt }]', true],
    ['verify: "run: npm test"', true],
    ['wave: 2', true],
    ['wave: second', true],
    ['a_key_of_my_own: kept', true],
    ['v: 2', false],
    ['v: "1"', false],
    ['title: 5', false],
    ['title: [a]', false],
    ['type: novel', false],
    ['priority: urgent', false],
    ['depends_on: ../../etc', false],
    ['depends_on: [a-task, A Task]', false],
    ['depends_on: con', false],
    ['depends_on: 5', false],
    ['parent: __proto__', false],
    ['retries_max: -1', false],
    ['retries_max: 101', false],
    ['retries_max: "3"', false],
    ['retries_max: 1.5', false],
    ['timeout: 10', false],
    ['timeout: 10 minutes', false],
    ['timeout: 0s', false],
    ['complexity: huge', false],
    ['isolation: vm', false],
    ['sandbox: docker', false],
    ['rerun: always', false],
    ['verify: [{ run: a, file_exists: b }]', false],
    ['verify: 3', false],
    ['agent: ""', false],
    ['tags: { a: b }', false],
    ['agent:', false],
  ])('%s: the schema says what the tool says (%s)', (head, good) => {
    expect(parseContract(`---\n${head}\n---\n${BODY}`, 'contract.md').ok).toBe(good);
    expect(fits('contract', head)).toBe(good);
  });
});

describe('config', () => {
  test.each([
    ['adapter: shell', true],
    ['parallel: 4\ntimeout: 1h', true],
    ['on_state: [notify-send, "{{id}}"]', true],
    ['adapters:\n  mine: { type: command, run: [node, a.mjs], env: [MY_KEY] }', true],
    ['agents:\n  builder: { adapter: mine, retries_max: 1 }', true],
    ['active_tasks: work/tasks', true],
    ['paralel: 4', false],
    ['parallel: 0', false],
    ['parallel: 65', false],
    ['timeout: soon', false],
    ['adapters:\n  mine: { tpye: command }', false],
    ['adapters:\n  mine: { type: magic }', false],
    ['adapters:\n  mine: { env: ["MY KEY"] }', false],
    ['adapters:\n  mine: { run: [] }', false],
    ['agents:\n  builder: { retries: 1 }', false],
    ['on_state: notify', false],
  ])('%s: the schema says what the tool says (%s)', (text, good) => {
    const read = readYaml(text, 'config.yaml');
    expect(read.ok && configSchema().safeParse(read.value.head).success).toBe(good);
    expect(fits('config', text)).toBe(good);
  });

  test('accepts every configuration of the cases and of the example', () => {
    const files = [
      ...filesOfCases('config.yaml'),
      ...filesNamed('config.yaml', 'test/cases', 'scripts/example'),
    ];
    let accepted = 0;
    for (const { file, text } of files) {
      const read = readYaml(text, file);
      const good = read.ok && configSchema().safeParse(read.value.head).success;
      if (!read.ok) continue;
      expect(fits('config', text), file).toBe(good);
      accepted += good ? 1 : 0;
    }
    expect(accepted).toBeGreaterThan(5);
  });
});

describe('what agents and people write', () => {
  test.each([
    ['result', 'status: COMPLETE', true],
    ['result', 'status: failed', true],
    ['result', 'task: hello\nstatus: BLOCKED', true],
    ['result', 'status: nearly', false],
    ['result', 'status: PENDING', false],
    ['result', 'status: 1', false],
    ['status', 'status: in_progress\ncurrent_step: reads', true],
    ['status', 'status: PENDING', true],
    ['status', 'status: thinking', false],
    ['review', 'verdict: APPROVED', true],
    ['review', 'verdict: needs_work', true],
    ['review', 'verdict: fine', false],
  ])('%s, %s: offered by the schema only if it is read so (%s)', (name, head, good) => {
    const text = `---\n${head}\n---\n`;
    const read = {
      result: () => parseResult(text).status,
      status: () => parseStatus(text).status,
      review: () => parseReview(text).verdict,
    }[name];
    expect(read?.() !== undefined).toBe(good);
    expect(fits(name, head)).toBe(good);
  });

  test.each(['questions', 'blocked'])('%s: nothing is asked of its head', (name) => {
    expect(fits(name, 'anything: at all')).toBe(true);
    expect(fits(name, 'task: Not An Id')).toBe(false);
  });
});

test('every record in the cases fits its schema', () => {
  const seen = new Map<string, number>();
  for (const name of ['owner', 'agent', 'exit', 'outcome', 'receipts']) {
    const files = filesNamed(`${name}.md`, 'active_tasks.example');
    for (const { file, text } of files) {
      const front = readFrontMatter(text, file);
      if (!front.ok) throw new Error(file);
      const validate = shippedSchema(`attempt-${name}`);
      const head: unknown = JSON.parse(JSON.stringify(front.value.head));
      expect(validate(head), `${file} ${JSON.stringify(validate.errors)}`).toBe(true);
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  }
  expect([...seen.keys()].sort()).toEqual(['agent', 'exit', 'outcome', 'owner', 'receipts']);
});
