/**
 * Squads as they are found on disk: both shapes of SQUAD.yaml, which of a name is nearest, and what an
 * agent of one may do. Files are this test's own; the two under test/squads are read as they stand.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { agentsOf } from '../../src/engine/agent-book.ts';
import { ownAuthority } from '../../src/engine/attempt/authority.ts';
import { roleOf } from '../../src/engine/roles.ts';
import { squadsOf } from '../../src/engine/squad-book.ts';
import { openWorkspace, type Workspace } from '../../src/engine/workspace.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function written(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'contracts-squads-'));
  roots.push(root);
  for (const [name, text] of Object.entries({ '.contracts/config.yaml': '', ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

function opened(root: string): Workspace {
  const env = { PATH: '', HOME: join(root, 'home') };
  const ws = openWorkspace({ dir: root, ports: { env } });
  if (!ws.ok) throw new Error('no workspace');
  return ws.value;
}

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
    expect(ownAuthority(ws.layout, named)).toEqual(ownAuthority(ws.layout, pm));
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
