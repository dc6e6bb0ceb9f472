/** The table of words that decide, in short sentences: `team auto` and `route` find the same. */
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  security: [
    '보안',
    'security',
    '취약점',
    'vulnerability',
    'find vulnerabilities in the api',
    'the security of the new api',
    '이 모듈의 보안을 확인해줘',
    '취약점이 있는지 봐줘',
    '웹보안 상태를 알려줘',
  ],
  debug: [
    '버그',
    'debug',
    '에러',
    'error',
    'debug the review page',
    'the checkout throws an error',
    'errors in the new api',
    '에러가 납니다',
    '로그인버그를 잡아줘',
  ],
  planning: [
    '계획',
    'planning',
    '설계',
    'design',
    'planning the design of a new api',
    'planning the migration to postgres',
    'design the checkout api',
    'design the database schema',
    '새 API를 설계해줘',
    '화면설계를 부탁해',
  ],
  implementation: [
    '구현',
    'implement',
    '개발',
    'develop',
    'develop a new api',
    'implement the module',
    '새 API를 개발해줘',
  ],
  research: [
    '조사',
    'research',
    '탐색',
    'explore',
    'explore the code base',
    'research queues for the api',
    '경쟁사를 조사해줘',
  ],
  review: ['look at the code', 'have a look at src/auth', 'look at this module', '코드를 봐줘'],
};
/** What `route` has a workflow for; the others are a team's. */
const WORKFLOWS: Readonly<Record<string, string>> = {
  debug: 'debug',
  implementation: 'build',
  review: 'review',
};
const ALL = Object.entries(SENTENCES).flatMap(([name, all]) => all.map((one) => [name, one]));
const room = commandRoom();

async function lineOf(...argv: string[]) {
  const { out, code } = await room.said(...argv, '--json');
  expect(code, out).toBe(0);
  return JSON.parse(out.split('\n')[0] ?? '') as Readonly<Record<string, unknown>>;
}

test.for(ALL)('%s: %s', async ([name = '', text = '']) => {
  const team = await lineOf('team', 'auto', text, '--dry-run');
  expect(team).toMatchObject({ name, how: name === 'review' ? 'default' : 'inferred' });
  const workflow = WORKFLOWS[name] ?? null;
  const preset = workflow === null ? name : null;
  expect(await lineOf('route', text)).toMatchObject({ should_route: true, workflow, preset });
});

test('a preset that names itself in several words is stronger than one word of the table', async () => {
  for (const [text, name] of [
    ['develop it with frontend and backend', 'fullstack'],
    ['a design for the llm chatbot', 'ai'],
  ] as const)
    expect(await lineOf('team', 'auto', text, '--dry-run')).toMatchObject({ name });
});

test.for(['Plan and execute the auth system', 'Add schema validation to the form'])(
  '%s: the workflow build',
  async (text) => {
    expect(await lineOf('route', text)).toMatchObject({ should_route: true, workflow: 'build' });
    expect(await lineOf('team', 'auto', text, '--dry-run')).toMatchObject({ name: 'review' });
  },
);
