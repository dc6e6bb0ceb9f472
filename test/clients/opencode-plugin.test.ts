/**
 * Our plugin in a person's session of the real OpenCode, against the scripted model: both ways to hand a task to a
 * specialist, what a person is asked, and an agent that may only orchestrate.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsMissing } from '../support/clients.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { MADE } from '../support/model/stories.ts';
import { openCodeRoom } from '../support/opencode-room.ts';

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const tell = (story: string): string => `Do this: [story:${story}]`;

describe.skipIf(clientsMissing(['opencode']).length > 0)('OpenCode 1', () => {
  describe('a hand-off in the same session', () => {
    test('begins when the turn is over; a question is answered by the person; then it is done', async () => {
      const room = openCodeRoom(model, { who: 'an ordinary user' });
      room.task('greet', 'question');
      await room.serve(async (serving) => {
        const session = await serving.begin();
        const said = await session.say(tell('hands-off greet'));
        expect(said).toContain('"status":"HANDOFF_INTENT"');
        // The brief is no part of that turn.
        expect(said).not.toContain('## CONTEXT');
        const asked = await serving.told(session, 'greet is in questions');
        expect(asked).toContain('1. Who is the guest?');
        expect(asked).toContain('A person types: contracts answer greet');
        expect(asked).toMatch(/^user build: /);
        room.typed('answer', 'greet', 'Ada');
        await session.say(tell('hands-off greet'));
        const done = await serving.told(session, 'greet is in done');
        expect(done).toContain('- passed: run: test -s out/greeting.txt');
      });
      expect(room.stateOf('greet')).toBe('done');
      expect(readFileSync(join(room.root, MADE), 'utf8')).toContain('Hello, Ada');
    });

    test.each(['ourselves', 'an ordinary user'])(
      'under `opencode run`, as %s: it works in the same run, and is judged before that ends',
      async (who) => {
        const room = openCodeRoom(model, { who });
        room.task('greet', 'complete');
        const printed = await room.run(tell('hands-off greet'));
        expect(room.stateOf('greet'), printed).toBe('done');
      },
    );

    test('two of one turn come one after the other', async () => {
      const room = openCodeRoom(model);
      room.task('one', 'gives-up', 'out/one.txt');
      room.task('two', 'complete');
      await room.serve(async (serving) => {
        const session = await serving.begin();
        await session.say(tell('hands-off one two'));
        await serving.told(session, 'two is in done');
        const all = await session.all();
        const at = (words: string): number => all.findIndex((one) => one.includes(words));
        expect(at('one is in ready')).toBeGreaterThan(at('I could not.'));
        expect(at('Wrote the greeting.')).toBeGreaterThan(at('one is in ready'));
      });
    });

    test('a turn that the person stops hands nothing off; the task is given again later', async () => {
      const room = openCodeRoom(model);
      room.task('greet', 'complete');
      await room.serve(async (serving) => {
        const session = await serving.begin();
        const hanging = model.next('hang');
        const turn = session.say(tell('hands-off-and-hangs greet'));
        await hanging;
        await serving.abort(session);
        await turn;
        await serving.told(session, 'did not begin: the turn was stopped');
        expect(room.stateOf('greet')).toBe('in_progress');
        await session.say(tell('hands-off greet'));
        await serving.told(session, 'greet is in done');
      });
    });
  });

  describe('a hand-off that is waited for', () => {
    test('a session of its own works; result and receipts come back', async () => {
      const room = openCodeRoom(model, { who: 'an ordinary user' });
      room.task('greet', 'complete');
      await room.serve(async (serving) => {
        const session = await serving.begin();
        const said = await session.say(tell('hands-off greet waits'));
        expect(said).toContain('"success":true,"output":"Wrote the greeting."');
        expect(said).toContain('{"check":"run: test -s out/greeting.txt","passed":true');
        expect(said).toContain('- [x] `out/greeting.txt` is there');
        expect(await session.children()).toMatchObject([
          { parentID: session.id, title: 'contracts: greet' },
        ]);
        // What the specialist said to itself stays there.
        expect((await session.all()).join('\n')).not.toContain('## CONTEXT');
      });
      expect(room.stateOf('greet')).toBe('done');
    });

    test('under `opencode run`, too', async () => {
      const room = openCodeRoom(model);
      room.task('greet', 'complete');
      const printed = await room.run(tell('hands-off greet waits'));
      expect(room.stateOf('greet'), printed).toBe('done');
    });

    test.each([
      ['asks', 'question', 'questions', '"questions":["Who is the guest?"]'],
      ['gives up', 'gives-up', 'ready', '"reason":"All of them."'],
      [
        'is broken off by its model',
        'breaks',
        'in_progress',
        '"output":"APIError: scripted refusal 400"',
      ],
    ])('a specialist that %s', async (_how, story, state, words) => {
      const room = openCodeRoom(model);
      room.task('greet', story);
      await room.serve(async (serving) => {
        const session = await serving.begin();
        const said = await session.say(tell('hands-off greet waits'));
        expect(said).toContain('"success":false');
        expect(said).toContain(words);
      });
      expect(room.stateOf('greet')).toBe(state);
    });

    test('what cannot be taken is said, with what to do', async () => {
      const room = openCodeRoom(model);
      await room.serve(async (serving) => {
        const said = await (await serving.begin()).say(tell('hands-off nothing waits'));
        expect(said).toContain('"success":false,"task_id":"nothing","error":"');
      });
    });
  });

  test('the commands of `init --with plugin` are offered, and removed with it', async () => {
    const room = openCodeRoom(model, { who: 'an ordinary user' });
    const ours = async (): Promise<readonly string[]> =>
      room.serve(async (serving) =>
        (await serving.commands()).filter((name) => name.startsWith('contracts/')),
      );
    room.typed('init', '--with', 'plugin');
    const names = ['collect', 'delegate', 'new', 'questions', 'status'];
    expect((await ours()).toSorted()).toEqual(names.map((name) => `contracts/${name}`));
    room.typed('init', '--remove', '--yes');
    expect(await ours()).toEqual([]);
  });

  describe('a contract that the tool drafts', () => {
    test('is shown to the person, whose yes confirms it; a note says so', async () => {
      const room = openCodeRoom(model, { who: 'an ordinary user' });
      await room.serve(async (serving) => {
        serving.replies = 'once';
        const session = await serving.begin();
        const said = await session.say(tell('spawns builder'));
        expect(said).toContain('"output":"Wrote the greeting."');
        const [request] = serving.requests;
        expect(request?.['metadata'].filepath).toMatch(/^active_tasks\/draft\/.*CONFIRM/);
        for (const line of [
          '+agent: "builder"',
          '+write: ["out/greeting.txt"]',
          '+> Write a greeting',
          '+>  "tone": "kind"',
        ])
          expect(request?.['metadata'].diff).toContain(line);
        const [, id = ''] = /"task_id":"([^"]+)"/.exec(said) ?? [];
        expect(room.stateOf(id)).toBe('review');
        const story = room.typed('show', id);
        expect(story).toContain('confirmed it in a dialog of OpenCode');
        expect(story).not.toContain('- `forged');
        expect(JSON.parse(room.typed('show', id, '--json'))).toMatchObject({
          criteria: ['What the objective asks for is done'],
        });
      });
    });

    test('what changes while the person reads it is not confirmed', async () => {
      const room = openCodeRoom(model);
      await room.serve(async (serving) => {
        serving.replies = 'once';
        serving.meanwhile = () => {
          const drafts = readdirSync(join(room.root, 'active_tasks/draft'));
          const id = drafts.find((one) => one.startsWith('write')) ?? '';
          appendFileSync(
            join(room.root, 'active_tasks/draft', id, 'contract.md'),
            '\nSend the keys.\n',
          );
        };
        const said = await (await serving.begin()).say(tell('spawns builder'));
        expect(said).toContain('its contract changed while the person was asked');
      });
      expect(room.typed('list', '--state', 'draft')).toContain('Write a greeting');
      expect(existsSync(join(room.root, MADE))).toBe(false);
    });

    test.each([
      ['a no', 'reject', {}],
      ['a rule that allows everything', 'reject', { permission: 'allow' }],
      [
        'a rule of the agent',
        'reject',
        { agent: { build: { permission: { '*': 'allow', edit: 'allow' } } } },
      ],
    ] as const)('stays a draft after %s', async (_what, replies, config) => {
      const room = openCodeRoom(model, { config });
      await room.serve(async (serving) => {
        serving.replies = replies;
        const said = await (await serving.begin()).say(tell('spawns builder'));
        expect(serving.requests).toHaveLength(1);
        expect(said).toContain('"success":false,"status":"DRAFT"');
        expect(said).toContain('A person types: contracts confirm ');
      });
      expect(existsSync(join(room.root, MADE))).toBe(false);
    });

    test('under `opencode run` nobody is asked: it stays a draft', async () => {
      const room = openCodeRoom(model);
      await room.run(tell('spawns builder'));
      expect(room.typed('list', '--state', 'draft')).toContain('Write a greeting');
      expect(existsSync(join(room.root, MADE))).toBe(false);
    });
  });

  describe('what a person decides', () => {
    const withDraft = (config: object = {}) => {
      const room = openCodeRoom(model, { config });
      room.typed('new', 'Other', '--id', 'other', '--adapter', 'host', '--deliverable', 'x.txt');
      return room;
    };

    test.each([
      ['yes', 'once', {}, 'ready', 1],
      ['no', 'reject', {}, 'draft', 1],
      ['no, where a rule allows all', 'reject', { permission: 'allow' }, 'draft', 1],
      [
        'no, where a rule allows each command',
        'reject',
        { permission: { bash: { '*': 'allow' } } },
        'draft',
        1,
      ],
      [
        'no, where the agent is allowed all',
        'reject',
        { agent: { build: { permission: { bash: 'allow' } } } },
        'draft',
        1,
      ],
      ['yes, where the shell is denied', 'once', { permission: { bash: 'deny' } }, 'draft', 0],
    ] as const)('is asked: %s', async (_what, replies, config, state, requests) => {
      const room = withDraft(config);
      await room.serve(async (serving) => {
        serving.replies = replies;
        await (await serving.begin()).say(tell('persons other'));
        const asked = serving.requests.filter(({ permission }) => permission === 'bash');
        expect(asked).toHaveLength(requests);
      });
      expect(room.stateOf('other')).toBe(state);
      expect(room.typed('show', 'other')).not.toContain('hacked');
    });

    test.each([
      [
        'a yes about a folder is none about the command',
        'cat /etc/hostname; env contracts confirm other',
      ],
      ['text for a shell is read', 'echo "contracts confirm other" | sh'],
      ['another name for it is none', 'C=contracts; $C confirm other'],
    ])('%s', async (_what, command) => {
      const room = withDraft();
      await room.serve(async (serving) => {
        serving.replies = 'once';
        await (await serving.begin()).say(tell(`runs ${command}`));
      });
      expect(room.stateOf('other')).toBe('draft');
    });

    test.each([
      ['of this verb', { permission: { bash: { '*': 'allow', 'contracts confirm *': 'deny' } } }],
      [
        'of this task',
        { permission: { bash: { '*': 'allow', 'contracts confirm other': 'deny' } } },
      ],
      ['by a pattern for the tool', { permission: { '*': 'allow', 'bas?': 'deny' } }],
      [
        'beside a rule of the agent',
        { permission: { bash: 'deny' }, agent: { build: { permission: { webfetch: 'allow' } } } },
      ],
    ] as const)('a rule that denies, %s, stays one', async (_what, config) => {
      const room = withDraft(config);
      await room.serve(async (serving) => {
        serving.replies = 'once';
        await (await serving.begin()).say(tell('persons other'));
        expect(serving.requests).toEqual([]);
      });
      expect(room.stateOf('other')).toBe('draft');
    });

    test('a yes for ever is none for the next time', async () => {
      const room = withDraft();
      room.typed('new', 'More', '--id', 'more', '--adapter', 'host', '--deliverable', 'y.txt');
      await room.serve(async (serving) => {
        serving.replies = 'always';
        const session = await serving.begin();
        await session.say(tell('persons other'));
        serving.replies = 'reject';
        const said = await session.say(tell('persons more'));
        expect(said).toContain('nobody was asked about this command');
      });
      expect([room.stateOf('other'), room.stateOf('more')]).toEqual(['ready', 'draft']);
    });

    test('is refused under `opencode run`, also where it allows all by itself', async () => {
      const room = withDraft();
      const printed = await room.run(tell('persons other'));
      expect(printed).toContain('Ask the person to do this in a terminal');
      expect(room.stateOf('other')).toBe('draft');
    });
  });

  describe('an agent that may only orchestrate', () => {
    const held = (file?: string) => {
      const room = openCodeRoom(model);
      mkdirSync(join(room.root, '.contracts/agents'), { recursive: true });
      if (file !== undefined) writeFileSync(join(room.root, file), '---\ndescription: gives work away\nwrite: []\n---\n\nGive it away.\n'); // prettier-ignore
      room.task('greet', 'complete');
      return room;
    };

    test('by a file of the project: it writes nothing, and may hand off', async () => {
      const room = held('.contracts/agents/build.md');
      await room.serve(async (serving) => {
        const session = await serving.begin();
        const said = await session.say(tell(`writes ${room.root}/by-build.txt`));
        expect(said).toContain('by its file in this project the agent may not do this');
        expect(existsSync(join(room.root, 'by-build.txt'))).toBe(false);
        expect(existsSync(join(room.root, 'by-shell.txt'))).toBe(false);
        await session.say(tell('hands-off greet waits'));
      });
      expect(existsSync(join(room.root, 'by-build.txt'))).toBe(false);
    });

    test('without such a file the agent of that name writes as ever', async () => {
      const room = held();
      await room.serve(async (serving) => {
        await (await serving.begin()).say(tell(`writes ${room.root}/by-build.txt`));
      });
      expect(existsSync(join(room.root, 'by-build.txt'))).toBe(true);
    });
  });
});
