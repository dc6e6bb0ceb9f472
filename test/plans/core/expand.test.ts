/** A plan to contracts: what follows from what it says, case by case, and what is refused with which words. */
import { describe, expect, test } from 'vitest';
import { itemsAtOnce } from '../../../src/plans/core/expand-problems.ts';
import { expandPlan } from '../../../src/plans/core/expand.ts';
import type { PlanItem } from '../../../src/plans/core/plan-document.ts';
import { checkpointId, planTaskId } from '../support/plan-ids.ts';
import { formatProblem } from '../../../src/task/core/model/problem.ts';
import { around, item, planOf, squadOf, type Surroundings } from './make-plan.ts';

type More = Parameters<typeof planOf>[1];

function expand(items: readonly PlanItem[], more: More = {}, there: Surroundings = {}) {
  return expandPlan(planOf(items, more), around(there));
}

/** Id by key: `a` for a task, `a+@b` for a further part of one. */
const idOf = (key: string) => planTaskId('launch', key, around().hash);

function heads(...given: Parameters<typeof expand>): Record<string, Record<string, unknown>> {
  const { drafts, problems } = expand(...given);
  expect(problems.filter(({ severity }) => severity === 'error').map(formatProblem)).toEqual([]);
  return Object.fromEntries(drafts.map(({ key, contract }) => [key, contract.head]));
}

function errors(...given: Parameters<typeof expand>): string[] {
  const { drafts, problems } = expand(...given);
  const found = problems.filter(({ severity }) => severity === 'error');
  if (found.length > 0) expect(drafts).toEqual([]);
  return found.map(formatProblem);
}

describe('dependencies', () => {
  const three = (depends: string, more: Partial<PlanItem> = {}) => [
    item('research', { title: 'Do the research' }),
    item('copy', { title: 'Write copy', label: '2' }),
    item('page', { title: 'Build a page', depends: [depends], ...more }),
  ];
  test.each([
    ['research', 'research'],
    ['Do the research', 'research'],
    ['do the  **research**.', 'research'],
    ['2', 'copy'],
    ['#2', 'copy'],
    ['task 2', 'copy'],
    ['`copy`', 'copy'],
  ])('%j', (written, wanted) => {
    expect(heads(three(written))['page']?.['depends_on']).toEqual([idOf(wanted)]);
  });
  test('a number counts items only where none is written before a title', () => {
    const items = [item('a'), item('b', { depends: ['1'] })];
    expect(heads(items)['b']?.['depends_on']).toEqual([idOf('a')]);
    expect(errors(three('1'))).toHaveLength(1);
  });
  test.each(['none', '-', 'n/a', ''])('%j is nothing', (written) => {
    expect(heads(three(written))['page']).not.toHaveProperty('depends_on');
  });
  test('a result of an item is taken without a demand that it is done', () => {
    const items = [
      item('a'),
      item('b'),
      item('sum', { depends: ['a'], context_from: ['b', 'older'] }),
      item('ring', { context_from: ['ring-two'] }),
    ];
    const there = { tasks: ['older'] };
    expect(heads(items.slice(0, 3), {}, there)['sum']).toMatchObject({
      depends_on: [idOf('a')],
      context_from: [idOf('a'), idOf('b'), 'older'],
    });
    const ring = [...items, item('ring-two', { context_from: ['ring'] })];
    expect(errors(ring, {}, there)).toEqual([expect.stringMatching(/ring/)]);
  });
  test('the id of a task that exists, whose result is then in the brief', () => {
    const head = heads(three('older-task'), {}, { tasks: ['older-task'] })['page'];
    expect(head).toMatchObject({ depends_on: ['older-task'], context_from: ['older-task'] });
  });
  test('a group stands for all tasks in it', () => {
    const items = [
      item('build', { kind: 'group' }),
      item('api', { within: 'build' }),
      item('deep', { kind: 'group', within: 'build' }),
      item('ui', { within: 'deep' }),
      item('ship', { depends: ['build'] }),
    ];
    const { drafts } = expand(items);
    expect(drafts.map(({ key }) => key)).toEqual(['api', 'ui', 'ship']);
    expect(drafts.at(-1)?.depends_on).toEqual([idOf('api'), idOf('ui')]);
  });
  test.each([
    ['all', ['research', 'copy', 'last']],
    ['all previous', ['research', 'copy']],
    ['all of the above', ['research', 'copy']],
    ['Phase 1', ['research', 'copy']],
    ['Phase 1: Ground work', ['research', 'copy']],
    ['phase 2', ['last']],
  ])('%j are items', (written, wanted) => {
    const items = [
      item('research', { headings: ['Phase 1: Ground work'] }),
      item('copy', { headings: ['Small', 'Phase 1: Ground work'] }),
      item('page', { headings: ['Phase 2'], depends: [written] }),
      item('last', { headings: ['Phase 2'] }),
    ];
    expect(heads(items)['page']?.['depends_on']).toEqual(wanted.map(idOf));
  });
  test('all are those that it is not nested in, and none that are nested in it', () => {
    const items = [
      item('a'),
      item('build', { kind: 'group', depends: ['all previous'] }),
      item('b', { within: 'build', depends: ['all'] }),
    ];
    expect(heads(items)['b']?.['depends_on']).toEqual([idOf('a')]);
  });
  test.each<[number, readonly PlanItem[], More]>([
    [2, [item('a'), item('b')], {}],
    [2, [item('a', { executors: ['x', 'y'] }), item('b')], {}],
    [0, [item('a'), item('b', { depends: ['a'] })], {}],
    [0, [item('a', { wave: 1 }), item('b', { wave: 2 })], {}],
    [0, [item('a'), item('b')], { one_at_a_time: true }],
    [0, [item('a')], {}],
  ])('%i may run at the same time of %j %j', (many, items, more) => {
    const { drafts } = expand(items, more, { agent: (name) => name });
    expect(drafts.length).toBeGreaterThan(0);
    expect(itemsAtOnce(planOf(items, more), drafts)).toBe(many);
  });
  test('a number that is in two waves means the one in its own', () => {
    const items = [
      item('a', { label: '1', wave: 1 }),
      item('b', { label: '1', wave: 2 }),
      item('c', { label: '2', wave: 2, depends: ['1'] }),
    ];
    expect(heads(items, { checkpoint: 'auto' })['c']?.['context_from']).toEqual([idOf('b')]);
  });
  test('what is not there is named with what is near', () => {
    expect(errors(three('reserch'))).toEqual([
      '.contracts/plans/launch/plan.md:7:1: error: this depends on something that does not exist (found reserch, expected a number, a key, a title or a heading of this plan, wave N, all previous, or the id of a task: research, copy, 2, page). Did you mean research?',
    ]);
  });
  test('a cycle is told with its path', () => {
    const items = [
      item('a', { depends: ['c'] }),
      item('b', { depends: ['a'] }),
      item('c', { depends: ['b'] }),
      item('d', { depends: ['d'] }),
    ];
    const found = errors(items);
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('found a → c → b → a');
    expect(found[1]).toContain('found d → d');
  });
  test('contracts come in an order in which each stands behind what it needs', () => {
    const items = [
      item('c', { depends: ['b'] }),
      item('b', { depends: ['a'] }),
      item('a'),
      item('z'),
    ];
    expect(expand(items).drafts.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'z']);
  });
});

describe('boxes that a person closed', () => {
  const box = (meaning: 'done' | 'dropped') => ({ box: { line: 1, offset: 0, meaning } });
  test('make no contract, and nobody waits for them', () => {
    const items = [
      item('a', box('done')),
      item('b', box('dropped')),
      item('c', { depends: ['a', 'b'] }),
    ];
    const { drafts, items: told } = expand(items);
    expect(drafts.map(({ key, depends_on }) => [key, depends_on])).toEqual([['c', []]]);
    expect(told.map(({ closed }) => closed)).toEqual(['done', 'dropped', undefined]);
  });
  test('are the projection of a task as soon as there is one', () => {
    const items = [item('a', box('done')), item('b', { depends: ['a'] })];
    const { drafts } = expand(items, {}, { tasks: [idOf('a')] });
    expect(drafts.map(({ key }) => key)).toEqual(['a', 'b']);
  });
  test('that one was given up on which something depends is told', () => {
    const { problems } = expand([item('a', box('dropped')), item('b', { depends: ['a'] })]);
    expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', 'this depends on an item that was given up, and does not wait for it'],
    ]);
  });
  test('all of them leave nothing to do, which is no error', () => {
    expect(expand([item('a', box('done'))]).problems).toMatchObject([{ severity: 'warning' }]);
    expect(errors([])).toHaveLength(1);
  });
});

describe('waves', () => {
  const waved = [
    item('a', { wave: 1 }),
    item('b', { wave: 1 }),
    item('c', { wave: 2 }),
    item('d', { wave: 4 }),
  ];
  const cp = (wave: number) => checkpointId('launch', wave, around().hash);
  test('have a checkpoint between them, that waits for all of the one before', () => {
    const found = heads(waved);
    expect(Object.keys(found)).toEqual([
      'a',
      'b',
      'checkpoint-wave-1',
      'c',
      'checkpoint-wave-2',
      'd',
    ]);
    expect(found['checkpoint-wave-1']).toMatchObject({
      type: 'checkpoint',
      plan: 'launch',
      wave: 1,
    });
    expect(found['checkpoint-wave-1']?.['depends_on']).toEqual([idOf('a'), idOf('b')]);
    expect(found['checkpoint-wave-1']).not.toHaveProperty('agent');
    expect(found['c']?.['depends_on']).toEqual([cp(1)]);
    expect(found['d']).toMatchObject({ depends_on: [cp(2)], wave: 4 });
  });
  test.each(['auto', 'none'])('with %s a wave waits for the tasks before it', (checkpoint) => {
    expect(heads(waved, { checkpoint })['c']?.['depends_on']).toEqual([idOf('a'), idOf('b')]);
  });
  test('the plan says who is asked, else its squad', () => {
    const agentOf = (more: More) => heads(waved, more, there)['checkpoint-wave-1']?.['agent'];
    const there = { teams: [squadOf('quiet', [], { checkpoint_mode: 'auto' })] };
    expect(agentOf({ checkpoint: '@po' })).toBe('po');
    expect(agentOf({ checkpoint: 'interactive', squad: 'quiet' })).toBeUndefined();
    expect(heads(waved, { squad: 'quiet' }, there)).not.toHaveProperty('checkpoint-wave-1');
    expect(errors(waved, { checkpoint: '@analist' })[0]).toContain('Did you mean @analyst?');
  });
  test('of which nothing is left are passed over', () => {
    const done = { box: { line: 1, offset: 0, meaning: 'done' as const } };
    const items = [item('a', { wave: 1, ...done }), item('b', { wave: 2 }), item('c', { wave: 3 })];
    expect(Object.keys(heads(items))).toEqual(['b', 'checkpoint-wave-2', 'c']);
  });
  test('what depends on a later wave is a cycle, and named', () => {
    const items = [item('a', { wave: 1, depends: ['b'] }), item('b', { wave: 2 })];
    expect(errors(items)[0]).toContain('a → b → checkpoint-wave-1 → a');
  });
  test('depends: wave 1 means all of it', () => {
    const items = [...waved, item('e', { wave: 4, depends: ['wave 1'] })];
    expect(heads(items)['e']?.['context_from']).toEqual([idOf('a'), idOf('b')]);
  });
});

describe('who works', () => {
  const marketing = squadOf('marketing', ['copywriter', 'analyst'], {
    default_executor: 'copywriter',
    categories: new Map([['visual', { agent: 'analyst' }]]),
    contract_type: 'campaign',
  });
  const there = { teams: [marketing] };
  test.each([
    ['copywriter', 'marketing/copywriter'],
    ['marketing/copywriter', 'marketing/copywriter'],
    ['analyst', 'marketing/analyst'],
    ['dev', 'dev'],
    ['person', 'person'],
  ])('@%s is %s', (written, wanted) => {
    const items = [item('a', { executors: [written] })];
    const head = heads(items, { squad: 'marketing' }, there)['a'];
    expect(head).toMatchObject({ agent: wanted, squad: 'marketing', type: 'campaign' });
  });
  test('nobody named: the default of the squad, else nobody', () => {
    expect(heads([item('a')], { squad: 'marketing' }, there)['a']?.['agent']).toBe(
      'marketing/copywriter',
    );
    expect(heads([item('a')])['a']).not.toHaveProperty('agent');
  });
  test('a category chooses when he is called', () => {
    const { drafts } = expand([item('a', { category: 'visual' })], { squad: 'marketing' }, there);
    expect(drafts[0]).toMatchObject({ agent: 'marketing/analyst' });
    expect(drafts[0]?.contract.head).toMatchObject({ category: 'visual' });
    expect(drafts[0]?.contract.head).not.toHaveProperty('agent');
  });
  test('what nested items do not say, the item around them does', () => {
    const items = [
      item('site', {
        kind: 'group',
        squad: 'marketing',
        executors: ['analyst'],
        category: 'visual',
      }),
      item('a', { within: 'site' }),
    ];
    expect(heads(items, {}, there)['a']).toMatchObject({
      agent: 'marketing/analyst',
      squad: 'marketing',
    });
  });
  test('nobody is told with who is near, also in another squad', () => {
    expect(errors([item('a', { executors: ['deb'] })])[0]).toContain(
      '(found @deb, expected one of those that contracts agents lists). Did you mean @dev?',
    );
    expect(errors([item('a', { executors: ['copywriter'] })], {}, there)[0]).toContain(
      'Did you mean @marketing/copywriter?',
    );
    expect(errors([item('a')], { squad: 'marketng' }, there)[0]).toContain(
      'Did you mean marketing?',
    );
  });
  test('several work one after the other, each with his own task', () => {
    const { drafts } = expand([item('a', { executors: ['dev', 'qa', 'dev'] })]);
    expect(drafts.map(({ id, agent, depends_on }) => [id, agent, depends_on])).toEqual([
      [idOf('a'), 'dev', []],
      [idOf('a+@qa'), 'qa', [idOf('a')]],
    ]);
    expect(drafts[1]?.contract.head).toMatchObject({ context_from: [idOf('a')], title: 'a (qa)' });
  });
  test('who depends on an item of several waits for the last', () => {
    const items = [item('a', { executors: ['dev', 'qa'] }), item('b', { depends: ['a'] })];
    expect(heads(items)['b']?.['depends_on']).toEqual([idOf('a+@qa')]);
  });
});

describe('how it is verified', () => {
  const seen = (more: Partial<PlanItem>, plan: More = {}, there: Surroundings = {}) => {
    const { verify, quality_gate, deliverables } = heads([item('a', more)], plan, there)['a'] ?? {};
    return { verify, quality_gate, deliverables };
  };
  const none = { verify: undefined, quality_gate: undefined, deliverables: undefined };
  test('by nothing that can be seen: a person', () => {
    expect(seen({})).toEqual({ ...none, quality_gate: ['person'] });
    expect(seen({ verify: ['checklist'] })).toEqual({
      ...none,
      verify: ['checklist'],
      quality_gate: ['person'],
    });
  });
  test('by what the squad verifies by, where that can be done here', () => {
    const there = (verification: string) => ({ teams: [squadOf('dev', [], { verification })] });
    expect(seen({}, {}, there('tests'))).toEqual({ ...none, verify: ['run: npm test'] });
    expect(seen({}, {}, there('lsp_build_test'))).toEqual({ ...none, quality_gate: ['person'] });
    expect(seen({}, { squad: 'dev' }, there('file_exists')).deliverables).toEqual([
      '.contracts/plans/launch/research/a.md',
    ]);
  });
  test('reports stand where their writer may write', () => {
    const may = (...folders: string[]) => ({
      mayCreate: (_: string, path: string) => folders.some((one) => path.includes(one)),
    });
    const report = { verify: ['report-exists'] };
    expect(seen(report).deliverables).toEqual(['.contracts/plans/launch/research/a.md']);
    expect(seen(report, {}, may('deliverables')).deliverables).toEqual([
      '.contracts/plans/launch/deliverables/a.md',
    ]);
    expect(seen(report, {}, may('prd/', 'docs/')).deliverables).toEqual([
      '.contracts/plans/launch/prd/a.md',
    ]);
    expect(seen(report, {}, may('docs/')).deliverables).toEqual(['docs/launch/a.md']);
    expect(seen({ ...report, deliverables: ['r.md'] }, {}, may()).deliverables).toEqual(['r.md']);
    expect(errors([item('a', report)], {}, may())[0]).toContain(
      'has no permission to write a report',
    );
  });
  test('file_exists is what it names', () => {
    const more = { verify: ['file_exists'], paths: ['a.md', 'in.md'], context_files: ['in.md'] };
    expect(seen(more).deliverables).toEqual(['a.md']);
    expect(seen({ ...more, deliverables: ['x.md'] }).deliverables).toEqual(['x.md']);
  });
  test('the reviewer of the item, else of its category, else of the squad, else qa', () => {
    const team = squadOf('team', ['lead', 'other'], {
      default_reviewer: 'lead',
      categories: new Map([['words', { reviewer: 'other' }]]),
    });
    const there = { teams: [team] };
    const asked = { verify: ['reviewer'] };
    expect(seen({ ...asked, reviewers: ['dev'] }).quality_gate).toEqual(['dev']);
    expect(seen({ ...asked, category: 'words' }, { squad: 'team' }, there).quality_gate).toEqual([
      'team/other',
    ]);
    expect(seen(asked, { squad: 'team' }, there).quality_gate).toEqual(['team/lead']);
    expect(seen(asked).quality_gate).toEqual(['qa']);
  });
  test('squads with quality gates have their work reviewed, and nobody by himself', () => {
    const team = squadOf('team', ['lead', 'maker'], {
      quality_gates: true,
      default_reviewer: 'lead',
    });
    const there = { teams: [team] };
    const by = (executor: string, more: Partial<PlanItem> = {}) =>
      seen({ executors: [executor], ...more }, { squad: 'team' }, there).quality_gate;
    expect(by('maker')).toEqual(['team/lead']);
    expect(by('maker', { verify: ['tests'] })).toEqual(['team/lead']);
    expect(by('maker', { verify: ['@qa'] })).toEqual(['qa']);
    expect(by('lead')).toEqual(['person']);
    expect(seen({ executors: ['dev'], verify: ['tests'] }, {}, there).quality_gate).toBeUndefined();
  });
  test('what names no verifier has that of the squad, besides its reviewer', () => {
    const gated = { quality_gates: true, default_reviewer: 'lead', verification: 'tests' };
    const there = { teams: [squadOf('team', ['lead'], gated)] };
    const both = { ...none, verify: ['run: npm test'], quality_gate: ['team/lead'] };
    expect(seen({}, { squad: 'team' }, there)).toEqual(both);
    const own = { ...none, verify: ['checklist'], quality_gate: ['team/lead'] };
    expect(seen({ verify: ['checklist'] }, { squad: 'team' }, there)).toEqual(own);
  });
  test('whoever does the work is no gate', () => {
    const found = errors([item('a', { executors: ['dev'], verify: ['@dev'] })]);
    expect(found[0]).toContain('the gate would review its own work (found @dev)');
  });
  test('an unknown verifier is refused with what there is', () => {
    const [found] = errors([item('a', { verify: ['checklst'] })]);
    expect(found).toContain(
      'an unknown verifier (found checklst, expected tests, lsp_build_test, checklist, squad_valid, plan_valid, report, file_exists, reviewer, person, @agent, or a check such as run: npm test). Did you mean checklist?',
    );
    expect(errors([item('a', { verify: ['qa'] })])[0]).toContain('Did you mean @qa?');
    expect(errors([item('a', { verify: ['lsp_build_test'] })])[0]).toContain(
      'checks: {lsp_build_test: "your command"}',
    );
  });
  test('of several agents each is reviewed, and the last brings what it makes', () => {
    const more = {
      executors: ['dev', 'analyst'],
      deliverables: ['x.md'],
      verify: ['@qa', 'tests'],
    };
    const { drafts } = expand([item('a', more)]);
    expect(drafts.map(({ checks, gates, deliverables }) => [checks, gates, deliverables])).toEqual([
      [['run: npm test'], ['qa'], []],
      [['run: npm test'], ['qa'], ['x.md']],
    ]);
  });
});

describe('what is written', () => {
  test('text, criteria, context and shell steps of the item', () => {
    const text = 'Say hello.\n\n```sh\necho hello\n```\n\nTwice.';
    const criteria = [
      { text: 'It is said', box: { line: 5, offset: 9, meaning: 'open' as const } },
    ];
    const one = item('a', { text, criteria, context_files: ['in.md'], title: 'Hello' });
    const { contract } = expand([one], { objective: 'Be polite.' }).drafts[0]!;
    expect(contract.objective).toBe('Hello\n\nSay hello.\n\nTwice.');
    expect(contract.steps).toBe('echo hello');
    expect(contract.criteria).toEqual(['It is said']);
    expect(contract.context_files).toEqual(['in.md']);
    expect(contract.requirements).toContain('Be polite.');
  });
  test('criteria that are not given name what the runner looks at', () => {
    const { contract } = expand([item('a', { verify: ['tests'], deliverables: ['x.md'] })])
      .drafts[0]!;
    expect(contract.criteria).toEqual(['`npm test` passes', '`x.md` is there']);
  });
  test.each([
    ['Campaign', 'campaign', 0],
    ['feature spec', 'feature-spec', 0],
    ['checkpoint', 'custom', 1],
    ['poem', 'custom', 1],
  ])('type %s', (type, wanted, told) => {
    const { drafts, problems } = expand([item('a', { type })]);
    expect(drafts[0]?.contract.head['type']).toBe(wanted);
    expect(problems).toHaveLength(told);
  });
  test('titles that are none, and names of plans', () => {
    expect(errors([item('a', { title: ' ' })])[0]).toContain('this item has no title');
    expect(errors([item('a', { title: 'x'.repeat(2001) })])[0]).toContain('this title is too long');
    expect(errors([item('a')], {}, { plan: 'Big Plan' })[0]).toContain('is not a valid plan name');
  });
});

describe('what a person does', () => {
  const team = squadOf('team', ['maker'], {
    default_reviewer: 'qa',
    quality_gates: true,
    verification: 'tests',
  });
  const headOf = (more: Partial<PlanItem>) =>
    heads([item('sign', more)], { squad: 'team' }, { teams: [team] })['sign'];
  test.each(['person', 'human', '@me', 'user'])(
    'by %s: he confirms it, and nothing else',
    (name) => {
      const head = headOf({ executors: [name.replace('@', '')] });
      expect(head).toMatchObject({ agent: 'person', quality_gate: ['person'] });
      expect(head).not.toHaveProperty('verify');
      expect(head).not.toHaveProperty('deliverables');
    },
  );
  test.each<[string, Partial<PlanItem>, Record<string, unknown>]>([
    ['a file', { deliverables: ['a.pdf'] }, { deliverables: ['a.pdf'] }],
    ['a check', { verify: ['run: true'] }, { verify: ['run: true'] }],
    ['a reviewer', { reviewers: ['qa'] }, { quality_gate: ['qa'] }],
  ])('%s of his item alone', (_, more, wanted) => {
    const head = headOf({ executors: ['person'], ...more });
    const { verify, deliverables, quality_gate } = head ?? {};
    const said = { verify, deliverables, quality_gate };
    expect(Object.fromEntries(Object.entries(said).filter(([, one]) => one !== undefined))).toEqual(
      wanted,
    );
  });
  test('before others he confirms his part, and the last one is verified', () => {
    const items = [item('sign', { executors: ['person', 'maker'] })];
    const { drafts } = expand(items, { squad: 'team' }, { teams: [team] });
    expect(drafts.map(({ agent, gates, checks }) => ({ agent, gates, checks }))).toEqual([
      { agent: 'person', gates: ['person'], checks: [] },
      { agent: 'team/maker', gates: ['qa'], checks: ['run: npm test'] },
    ]);
  });
});
