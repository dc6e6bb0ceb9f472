// An agent that speaks ACP, made with the agent's side of the official SDK: what it does is its first
// argument, where it keeps its sessions and its diary the second. Everything else is real: permission
// requests, files that the client writes, questions, a turn that is cancelled, a process that dies.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk/unstable';

const [, , scene = '', state = ''] = process.argv;
const desk = process.env.CONTRACTS_OUT ?? '';
const root = process.cwd();
const askFor = methods.client.session.requestPermission;
const diary = (words) => appendFileSync(join(state, 'diary'), `${words}\n`);

if (scene === 'garbage') {
  process.stdout.write('Welcome to the shell of yesterday\nHow can I help?\n');
  process.exit(3);
}
if (scene === 'silent-end') process.exit(4);
if (scene === 'banner') process.stdout.write('a banner before the protocol\n');
// Its group is told to end before it has heard of the cancelled turn.
if (scene === 'hangs') process.on('SIGTERM', () => diary('TERM'));
if (scene === 'deaf') for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => undefined);
process.stderr.write('{"kind":"session","id":"forged"}\n');

const resultText = (words = 'done') => `# Result: ${process.env.CONTRACTS_TASK}

**Status**: COMPLETE

## Success Criteria

- [x] It is there: ${words}
`;

const OPTIONS = [
  { optionId: 'x-always', name: 'Always', kind: 'allow_always' },
  { optionId: 'x-yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'x-no', name: 'No', kind: 'reject_once' },
];

let calls = 0;

/** Asks as clients do: the tool call first, then the permission, which repeats little of it. */
async function mayWrite(client, sessionId, path, kind = 'edit') {
  calls += 1;
  const toolCallId = `call-${calls}`;
  await client.notify(methods.client.session.update, {
    sessionId,
    update: {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: `Write ${path}`,
      kind,
      status: 'pending',
      locations: [{ path }],
    },
  });
  const { outcome } = await client.request(askFor, {
    sessionId,
    toolCall: { toolCallId, status: 'pending' },
    options: OPTIONS,
  });
  diary(`${outcome.outcome} ${outcome.optionId ?? '-'} ${path}`);
  return outcome.outcome === 'selected' && outcome.optionId === 'x-yes';
}

async function write(client, sessionId, path, text) {
  if (!(await mayWrite(client, sessionId, path))) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** By the client's own hand. */
async function letWrite(client, sessionId, path, content) {
  try {
    await client.request(methods.client.fs.writeTextFile, { sessionId, path, content });
    diary(`written ${path}`);
  } catch (error) {
    diary(`refused ${path}: ${error.message}`);
  }
}

const say = (client, sessionId, text) =>
  client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  });

const FORM = {
  type: 'object',
  properties: {
    port: { type: 'integer', title: 'Port', default: 8080 },
    host: { type: 'string', enum: ['local', 'any'] },
  },
  required: ['port'],
};

const DONE = { stopReason: 'end_turn' };

const SCENES = {
  writes: async (client, sessionId) => {
    await say(client, sessionId, 'I write two fi');
    await say(client, sessionId, 'les.\nThen I am done.');
    await write(client, sessionId, join(root, 'out.txt'), 'mine\n');
    await write(client, sessionId, join(root, 'secret/key.txt'), 'not mine\n');
    await write(client, sessionId, join(root, 'link/out.txt'), 'behind a link\n');
    await write(client, sessionId, join(desk, 'result.md'), resultText());
    const cost = { amount: 0.25, currency: 'USD' };
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'usage_update', used: 10, size: 100, cost },
    });
    return { ...DONE, usage: { totalTokens: 15, inputTokens: 12, outputTokens: 3 } };
  },
  'client-writes': async (client, sessionId) => {
    await letWrite(client, sessionId, join(root, 'deep/er/out.txt'), 'mine\n');
    await letWrite(client, sessionId, join(root, 'secret/key.txt'), 'not mine\n');
    await letWrite(client, sessionId, join(root, 'link/out.txt'), 'behind a link\n');
    await letWrite(client, sessionId, '/etc/contracts-was-here', 'outside\n');
    await letWrite(client, sessionId, join(desk, 'result.md'), resultText());
    return DONE;
  },
  asks: async (client, sessionId) => {
    const brief = readFileSync(process.env.CONTRACTS_BRIEF, 'utf8');
    if (brief.includes('8443')) {
      writeFileSync(join(desk, 'result.md'), resultText('port 8443'));
      return DONE;
    }
    const answer = await client.request(methods.client.elicitation.create, {
      mode: 'form',
      sessionId,
      message: 'Where shall it listen?',
      requestedSchema: FORM,
    });
    diary(`answer ${answer.action}`);
    return DONE;
  },
  hangs: () => new Promise((resolve) => (cancelled = () => resolve({ stopReason: 'cancelled' }))),
  deaf: () => new Promise(() => undefined),
  crashes: () => process.exit(7),
  'model-error': () => {
    throw new RequestError(-32603, 'Internal error', { details: '429 no money left' });
  },
  limit: () => ({ stopReason: 'max_tokens' }),
  banner: async (client, sessionId) => SCENES.writes(client, sessionId),
  settings: (_client, sessionId) => {
    diary(`works as ${JSON.stringify(settings)} in ${sessionId}`);
    writeFileSync(join(desk, 'result.md'), resultText());
    return DONE;
  },
};

let cancelled = () => undefined;
const settings = { model: 'small', mode: 'ask' };

const choice = (id) => ({
  id,
  name: id,
  category: id,
  type: 'select',
  currentValue: settings[id],
  options: { model: ['small', 'large'], mode: ['ask', 'workspace-write'] }[id].map((value) => ({
    value,
    name: value.toUpperCase(),
  })),
});

const told = () =>
  scene === 'settings' ? { configOptions: [choice('model'), choice('mode')] } : {};
const sessions = join(state, 'sessions');

agent({ name: 'scripted-agent' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: scene === 'version' ? 7 : PROTOCOL_VERSION,
    agentCapabilities: { loadSession: scene !== 'settings' },
    authMethods: scene === 'login' ? [{ id: 'key', name: 'a key of the house' }] : [],
  }))
  .onRequest(methods.agent.session.new, () => {
    if (scene === 'login') throw RequestError.authRequired();
    const sessionId = `session-${process.pid}`;
    diary(`new ${sessionId}`);
    appendFileSync(sessions, `${sessionId}\n`);
    return { sessionId, ...told() };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    const { sessionId } = params;
    const known = existsSync(sessions) ? readFileSync(sessions, 'utf8').split('\n') : [];
    if (!known.includes(sessionId)) throw RequestError.resourceNotFound(sessionId);
    diary(`load ${sessionId}`);
    await say(client, sessionId, 'said long ago\n');
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    settings[params.configId] = params.value;
    return { configOptions: [choice('model'), choice('mode')] };
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) =>
    SCENES[scene](client, params.sessionId),
  )
  .onNotification(methods.agent.session.cancel, () => {
    diary('cancel');
    cancelled();
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
