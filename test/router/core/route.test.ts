/** Messages as people write them, and what the router makes of each. messages.json is older than the keywords. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { termsOf } from '../../../src/task/core/base/wording.ts';
import { route, type Known } from '../../../src/router/core/route.ts';
import { nearestTeam, type Team } from '../../../src/teams/core/teams.ts';

interface Message {
  readonly text: string;
  readonly should_route: boolean;
  readonly expected: readonly string[];
}

const data = <T>(file: string): T =>
  parse(readFileSync(new URL(`../../../templates/${file}`, import.meta.url), 'utf8')) as T;
const { workflows, ...others } = data<
  { workflows: Record<string, string> } & Record<'several' | 'small_talk' | 'trivial', string>
>('router/words.yaml');
const teams = Object.entries(data<Record<string, Team>>('teams/teams.yaml')).map(
  ([name, team]): Team => ({ ...team, name }),
);
const terms = (all: Record<string, string>) =>
  new Map(Object.entries(all).map(([name, words]) => [name, termsOf(words)]));
const KNOWN: Known = {
  words: {
    workflows: terms(workflows),
    several: termsOf(others.several),
    small_talk: termsOf(others.small_talk),
    trivial: termsOf(others.trivial),
  },
  team: (wording) => nearestTeam(teams, wording),
  squad: () => ({ name: 'dev', how: 'default', confidence: 0, why: '' }),
  agentOf: () => 'somebody',
  busy: () => undefined,
};
const WRONG_MAX = 4;

function targetOf(text: string): string {
  const { should_route, workflow, preset } = route(text, 'user', KNOWN);
  if (!should_route) return 'none';
  return workflow === null ? `preset:${preset}` : `workflow:${workflow}`;
}

function wrongIn(file: string): readonly string[] {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const all = JSON.parse(text) as readonly Message[];
  expect(all).toHaveLength(80);
  return all.flatMap(({ text: words, should_route, expected }) => {
    const found = targetOf(words);
    const isRight = should_route ? expected.includes(found) : found === 'none';
    return isRight ? [] : [`${found}, not ${expected.join(' or ') || 'none'}: ${words}`];
  });
}

/** The later sets are by others who had not seen the words; at first 9 of each were wrong. */
test.for(['messages.json', 'more-messages.json', 'third-messages.json'])(
  'of 80 messages in %s at most 4 are routed otherwise than a person would',
  (file) => {
    const wrong = wrongIn(file);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(WRONG_MAX);
  },
);

const PASSED_BY = ['builder', 'system', 'agent', '', 'User'];

test.for(PASSED_BY)('a message from "%s" passes through, whatever it says', (source) => {
  expect(route('find out why the login fails, and fix it', source, KNOWN)).toMatchObject({
    should_route: false,
    workflow: null,
    preset: null,
    confidence: 0,
    handler: 'pass_through',
    safety_check: 'AGENT_SOURCE',
  });
});

test('a plan that is being worked on is respected', () => {
  expect(route('build a new page', 'user', { ...KNOWN, busy: () => 'launch' })).toMatchObject({
    should_route: false,
    handler: 'plan',
    safety_check: 'ACTIVE_PLAN',
    next: 'contracts plan status launch',
  });
});

test('the next command is one line that a shell reads as one text', () => {
  const { next } = route("review the diff:\n it's 'x' && $(rm -rf /)", 'user', KNOWN);
  expect(next).toBe(
    String.raw`contracts plan new --workflow review 'review the diff: it'\''s '\''x'\'' && $(rm -rf /)'`,
  );
});

test('words of another squad than dev make it a plan of that squad', () => {
  const known: Known = {
    ...KNOWN,
    squad: () => ({
      name: 'marketing',
      how: 'inferred',
      confidence: 0.75,
      why: 'newsletter, campaign',
    }),
    agentOf: () => 'marketing/copywriter',
  };
  expect(route('a newsletter campaign for our customers', 'user', known)).toMatchObject({
    should_route: true,
    squad: 'marketing',
    agent: 'marketing/copywriter',
    handler: 'squad',
    next: "contracts plan new 'a newsletter campaign for our customers' --squad marketing",
  });
});
