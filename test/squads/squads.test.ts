/**
 * Squads as they are found on disk: both shapes of SQUAD.yaml, which of a name is nearest, and what an
 * agent of one may do. Files are this test's own; the two under test/squads are read as they stand.
 */
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentsOf } from '../../src/agents/engine/registry.ts';
import { ownPermissions } from '../../src/permissions/engine/enforce/effective-permissions.ts';
import { roleOf } from '../../src/agents/engine/roles.ts';
import { readSkill } from '../../src/agents/engine/skill-files.ts';
import { squadsOf } from '../../src/squads/engine/registry.ts';
import { createTask } from '../../src/engine/commands/create.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

function written(files: Readonly<Record<string, string>>): string {
  const root = sealedFolder('squads');
  for (const [name, text] of Object.entries({ '.contracts/config.yaml': '', ...files }))
    putFile(join(root, name), text);
  return root;
}

function opened(root: string): Workspace {
  const env = { PATH: '', HOME: join(root, 'home') };
  return openedAt(root, { env });
}

test('nothing is wrong with the squads of the package and their agents: check does not read them', () => {
  const ws = opened(written({}));
  const [agents, squads] = [agentsOf(ws), squadsOf(ws)];
  expect(squads.names().length).toBeGreaterThan(0);
  expect(squads.names().flatMap((name) => squads.problems(name))).toEqual([]);
  expect(agents.names().filter((name) => name.includes('/')).length).toBeGreaterThan(0);
  expect(agents.names().flatMap((name) => agents.problems(name))).toEqual([]);
});

const shape = (name: string): string =>
  readFileSync(new URL(`../squads/${name}.yaml`, import.meta.url), 'utf8');

describe('the shapes of SQUAD.yaml', () => {
  test('agents as a map', () => {
    const file = '.opencode/squads/marketing/SQUAD.yaml';
    const ws = opened(written({ [file]: shape('agents-as-a-map') }));
    const squad = squadsOf(ws).get('marketing');
    expect(squadsOf(ws).problems('marketing')).toEqual([]);
    expect(squad).toMatchObject({
      description: 'Marketing team with copywriters, designers, and strategists',
      version: '1.0.0',
      source: 'project',
      file,
      default_executor: 'copywriter',
      default_reviewer: 'brand-reviewer',
      contract_type: 'campaign',
      plan_type: 'development',
      checkpoint_mode: 'interactive',
      quality_gates: true,
      story_driven: true,
      verification: 'lsp_build_test',
    });
    expect(squad?.agents.map(({ full }) => full)).toEqual([
      'marketing/copywriter',
      'marketing/designer',
      'marketing/brand-reviewer',
    ]);
    expect([...(squad?.categories.keys() ?? [])]).toEqual(['creative', 'visual']);
    expect(squad?.plan_template).toBe('# Plan: {title}\nSquad: marketing\n...\n');
    expect(agentsOf(ws).get('marketing/copywriter')).toMatchObject({
      description: 'Expert copywriter for all channels',
      model: 'anthropic/claude-sonnet-4-5',
      skills: ['brand-voice'],
      client: 'opencode',
    });
  });

  test('agents as a list, whose names mean roles', () => {
    const ws = opened(
      written({ '.opencode/squads/marketing/SQUAD.yaml': shape('agents-as-a-list') }),
    );
    expect(squadsOf(ws).problems('marketing')).toEqual([]);
    expect(squadsOf(ws).get('marketing')).toMatchObject({
      agents: [
        { name: 'pm', full: 'pm', is_chief: false },
        { name: 'analyst', full: 'analyst', is_chief: false },
      ],
      plan_type: 'task',
      checkpoint_mode: 'auto',
      quality_gates: false,
      story_driven: false,
      verification: 'file_exists',
      plan_template: '# Campaign Plan: {{title}}\n## Tasks\n{{tasks}}\n',
    });
    const { pm, named } = { pm: roleOf(ws, 'pm'), named: roleOf(ws, 'marketing/pm') };
    expect(named.definition).toEqual(pm.definition);
    expect(ownPermissions(ws.layout, named)).toEqual(ownPermissions(ws.layout, pm));
  });
});

test('the nearest of a name wins as a whole; one behind a link leaves the name without', () => {
  const one = (name: string) => `name: s\ndescription: ${name}\nagents: [dev]\n`;
  const root = written({
    'home/.claude/squads/s/SQUAD.yaml': one('yours'),
    'home/.claude/squads/t/SQUAD.yaml': one('yours').replace('name: s', 'name: t'),
    '.claude/squads/s/SQUAD.yaml': one('client'),
    '.contracts/squads/s/SQUAD.yaml': one('project'),
  });
  symlinkSync(join(root, 'home/.claude/squads/t'), join(root, '.contracts/squads/t'));
  const book = squadsOf(opened(root));
  expect(book.get('s')?.description).toBe('project');
  expect(book.get('t')).toBeUndefined();
  expect(book.problems('t').map(({ code }) => code)).toEqual(['not_a_file']);
  expect(book.names().slice(0, 2)).toEqual(['s', 't']);
  expect(book.get('dev')?.source).toBe('built-in');
});

const WHOLE = 'name: whole\ndescription: It is well\nagents: [dev]\n';

/** What is in SQUAD.yaml, and what is said of it; the squad is left out where `left` says so. */
const MALFORMED: readonly (readonly [
  what: string,
  yaml: string,
  says: RegExp,
  left?: 'left out',
])[] = [
  ['no YAML', 'agents: [', /left out/, 'left out'],
  ['a list', '- dev\n', /left out/, 'left out'],
  ['a number as description', 'description: 5\n', /description has the wrong type/, 'left out'],
  ['a word of its own', 'checkpoint_mode: sometimes\n', /checkpoint_mode/, 'left out'],
  ['yes as a text', 'quality_gates: "yes"\n', /quality_gates/, 'left out'],
  ['an article that is none', 'articles: { VII: hard }\n', /articles/, 'left out'],
  ['agents as a text', 'agents: dev\n', /neither a map nor a list/],
  ['an agent in a group', 'agents: [a/b]\n', /an invalid name is left out/],
  ['an agent that leads out', 'agents: ["../dev"]\n', /an invalid name is left out/],
  ['an agent of words', 'agents: { dev: fast }\n', /without settings is left out/],
  ['an agent twice', 'agents: [dev, dev]\n', /named twice/],
  ['a key that would narrow', 'agents: { a: { write_path: [x] } }\n', /left out/],
  ['permissions that are none', 'agents: { a: { write_paths: 5 } }\n', /left out/],
  ['settings as files', 'agents: { a: { write_paths: [.contracts/config.yaml] } }\n', /cannot permit changes to settings/],
  ['git that pushes', 'agents: { a: { git: [push] } }\n', /leaves this machine/],
  ['a prompt from above', 'agents: { a: { prompt_file: ../x.md } }\n', /prompt_file/],
  ['an absolute prompt', 'agents: { a: { prompt_file: /etc/passwd } }\n', /prompt_file/],
  ['a category of words', 'categories: { a: fast }\n', /invalid category is left out/],
  ['a check that is none', 'checks: { a: "npm test" }\n', /invalid check is left out/],
  ['a check of the runner', 'checks: { squad_valid: "run: true" }\n', /runner has a check of this/],
  ['a type that is none', 'contract_type: poem\n', /custom is used/],
  ['another name', 'name: other\n', /must be the name of its folder/],
  ['a key that is none', 'default_excutor: dev\n', /unknown key/],
];

test.each(MALFORMED.map(([what, yaml, says, left]) => ({ what, yaml, says, left })))(
  '$what: one warning, and the others load',
  ({ yaml, says, left }) => {
    const files = { '.contracts/squads/s/SQUAD.yaml': yaml };
    const book = squadsOf(
      opened(written({ ...files, '.contracts/squads/whole/SQUAD.yaml': WHOLE })),
    );
    const told = book.problems('s');
    expect(told.map(({ severity }) => severity)).toEqual(['warning']);
    expect(told[0]?.message).toMatch(says);
    expect(told[0]?.file).toContain('.contracts/squads/s');
    expect(book.get('s') === undefined).toBe(left !== undefined);
    expect(book.get('whole')?.description).toBe('It is well');
    expect(book.problems('whole')).toEqual([]);
  },
);

describe('what an agent of a squad may do', () => {
  const files = {
    '.contracts/squads/s/SQUAD.yaml': `agents:
  plain: { description: p }
  own: { write_paths: [docs/**], git: [add, push] }
  analyst: { description: Ours }
  devops: { skills: [git-master] }
  reader: { tools: [Read] }
  pm:
`,
    '.contracts/config.yaml': 'agents: { s/ghost: { adapter: human }, s/own: { timeout: 5m } }\n',
  };
  const may = (name: string) => {
    const ws = opened(written(files));
    const { write, create, append, git } = ownPermissions(ws.layout, roleOf(ws, name));
    return { write, create, append, git };
  };

  test('the deliverables of plans and their notepads, where nothing is said', () => {
    const deliverables = ['.contracts/plans/*/deliverables/**'];
    expect(may('s/plain')).toMatchObject({ write: deliverables, create: deliverables, git: [] });
    expect(may('s/plain').append).toContain('.contracts/plans/*/notepad.md');
  });

  test('what it says, but nothing that leaves the machine', () => {
    expect(may('s/own')).toMatchObject({ write: ['docs/**'], git: ['add'] });
  });

  test.each(['analyst', 'devops', 'pm'])('as %s no more than that role', (name) => {
    expect(may(`s/${name}`)).toEqual(may(name));
  });

  test('nothing, where it only looks', () => {
    expect(may('s/reader')).toEqual({ write: [], create: [], append: [], git: [] });
  });

  test('settings change somebody, and make nobody whom the squad has not', () => {
    const book = agentsOf(opened(written(files)));
    expect(book.get('s/own')).toMatchObject({ timeout: '5m', write: ['docs/**'] });
    expect(book.get('s/ghost')).toBeUndefined();
    expect(book.problems('s/ghost')[0]?.message).toContain('no such agent');
  });

  test('a plain name is enough while one squad has it', () => {
    const two = {
      ...files,
      '.contracts/squads/t/SQUAD.yaml': 'agents: { plain: { prompt: x } }\n',
    };
    expect(agentsOf(opened(written(files))).get('plain')?.name).toBe('s/plain');
    const book = agentsOf(opened(written(two)));
    expect(book.get('plain')).toBeUndefined();
    expect(book.problems('plain')[0]?.expected).toBe('s/plain, t/plain');
  });
});

test('nothing behind a link is read: prompts, agents, skills, the folder of squads', () => {
  const root = written({
    'outside/secret.md': 'SECRET',
    '.contracts/squads/s/SQUAD.yaml':
      'agents: { a: { prompt_file: prompt.md }, b: { prompt_file: dir/secret.md } }\nskills: [hidden]\n',
    '.contracts/squads/s/skills/.gitkeep': '',
    '.contracts/squads/s/agents/.gitkeep': '',
  });
  const at = (name: string) => join(root, '.contracts/squads/s', name);
  symlinkSync(join(root, 'outside/secret.md'), at('prompt.md'));
  symlinkSync(join(root, 'outside'), at('dir'));
  symlinkSync(join(root, 'outside/secret.md'), at('agents/c.md'));
  symlinkSync(join(root, 'outside/secret.md'), at('skills/hidden.md'));
  const ws = opened(root);
  for (const name of ['s/a', 's/b', 's/c']) {
    expect(agentsOf(ws).get(name), name).toBeUndefined();
    expect(agentsOf(ws).problems(name).length, name).toBe(1);
  }
  expect(readSkill(ws, 's/hidden').ok).toBe(false);
  expect(JSON.stringify(squadsOf(ws).get('s'))).not.toContain('SECRET');
});

const OF_SQUADS = /(?:contracts|templates)\/squads\b/;

test('who names no squad makes none read', () => {
  const root = written({
    '.contracts/squads/s/SQUAD.yaml': WHOLE,
    'active_tasks/draft/.gitkeep': '',
  });
  const asked: string[] = [];
  const disk = new Proxy(realDisk, {
    get: (all, key) => {
      const method: unknown = Reflect.get(all, key);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        asked.push(String(given[0]));
        return Reflect.apply(method, all, given) as unknown;
      };
    },
  });
  const ws = openedAt(root, { disk, env: { PATH: '' } });
  expect(createTask(ws, { title: 'Plain', steps: 'true' }).ok).toBe(true);
  expect(asked.filter((path) => OF_SQUADS.test(path))).toEqual([]);
  expect(createTask(ws, { title: 'Theirs', head: { squad: 's' } }).ok).toBe(true);
  expect(asked.filter((path) => OF_SQUADS.test(path)).length).toBeGreaterThan(0);
});
