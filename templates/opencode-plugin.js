// contracts in OpenCode, in one file without packages. Below a workspace, in a session of a person: our hook judges each
// use of a tool, what only a person decides is asked, the six tools are offered, `skill_agent` hands a task to a
// specialist, and contracts says what waits with the first prompt, and records the end. In an attempt of the runner: the
// hook alone. Where contracts is not installed, nothing happens. One export for both: `server` for OpenCode 1 (1.18.29
// and later), `setup` for OpenCode 2, which is written from its sources and was not run.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const rootOf = (folder) =>
  existsSync(join(folder, '.contracts')) ? folder : dirname(folder) === folder ? undefined : rootOf(dirname(folder));

const inAttempt = () => process.env.CONTRACTS_TASK !== undefined;

// Nobody is there to be asked, and an idle session is the end: `opencode run`, and the server that version 2 starts for it.
const isHeadless = () => process.argv.slice(2).some((word) => word === 'run' || word === '--stdio');

const hook = (event, given) =>
  spawnSync('contracts', ['hook', event, '--client', 'opencode'], {
    // One that is gone would look like a program that is not there.
    cwd: existsSync(given.cwd) ? given.cwd : undefined,
    input: JSON.stringify(given),
    encoding: 'utf8',
    timeout: event === 'pre-tool-use' ? undefined : 20_000,
  });

// Lines of JSON, by their event.
const linesOf = (text) => {
  const lines = (text ?? '').split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  return (event) => lines.find((line) => line.event === event);
};

const typed = (words) => [words[0], '--json', ...words.slice(1)];

// A verb of ours, to its end. `input`: what it reads.
const contracts = (cwd, words, input = '') =>
  new Promise((done) => {
    const child = spawn('contracts', typed(words.map(String)), { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
    child.on('error', (error) =>
      done(linesOf(JSON.stringify({ event: 'problem', problem: { message: error.message } }))),
    );
    child.on('close', () => done(linesOf(text)));
    child.stdin.on('error', () => undefined).end(input);
  });

// The same where the process may end before anything else comes.
const contractsNow = (cwd, words) =>
  linesOf(spawnSync('contracts', typed(words), { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout);

const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const problemOf = (said, otherwise) => said('problem')?.problem ?? { message: otherwise };

// What came of a task, for who gave it away: its state, what it asks, result and receipts, what comes next.
const outcomeOf = (cwd, story, problem) => {
  if (story === undefined) return { success: false, error: problem?.message };
  const { id, state, reason, fix, waits_for, attempts = [], folder } = story;
  const last = attempts.at(-1);
  const receipts = attempts.findLast((one) => one.receipts?.length > 0)?.receipts ?? [];
  const result = textOf(join(rootOf(cwd) ?? cwd, String(folder), 'result.md'));
  const asked = state === 'questions' ? (last?.questions ?? []).filter(({ answer }) => answer === '') : [];
  return {
    success: state === 'done',
    task_id: id,
    state,
    reason: problem?.code === 'no_result' ? problem.message : (state === 'ready' && last?.reason) || reason,
    ...(asked.length > 0 && { questions: asked.map(({ question }) => question) }),
    ...(last?.findings && { findings: last.findings }),
    receipts: receipts.map(({ check, passed, reason: why }) => ({ check, passed, reason: why })),
    ...(result !== undefined && { result: result.slice(0, 8000) }),
    ...(state !== 'done' && {
      next: waits_for === 'person' ? `A person types: ${fix}` : `skill_agent with task_id ${id} goes on`,
    }),
  };
};

// The same for a person, in a few lines.
const linesFor = ({ task_id, state, reason, error, questions = [], receipts, next }) =>
  [
    `${task_id} is in ${state}${error || reason ? `: ${error ?? reason}` : ''}.`,
    ...questions.map((question, i) => `${i + 1}. ${question}`),
    ...(receipts ?? []).map(({ check, passed, reason: why }) => `- ${passed ? 'passed' : `failed (${why})`}: ${check}`),
    ...(next ? [next] : []),
  ].join('\n');

const TOOL = {
  description:
    'Give a task to a specialist, as a contract. It goes on in this session, and you stop; with async false a session of its own works, and you get its result with receipts. task_id names a task that is ready; without it a contract is drafted for skill_name/agent_name, and the person is asked.',
  properties: {
    task_id: { type: 'string', description: 'of a ready task' },
    skill_name: { type: 'string' },
    agent_name: { type: 'string' },
    prompt: { type: 'string', description: 'what is to be done' },
    async: { type: 'boolean', description: 'false: wait for it' },
    run_in_background: { type: 'boolean', description: 'as async' },
    context: {
      type: 'object',
      properties: {
        explicit_direction: {},
        assumptions: {},
        relevant_memories: {},
        files_assigned: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};

// Words of an agent as a quotation: no heading, box, fence or comment in them is one of the contract, and no control
// character reaches a terminal.
const quoted = (value) =>
  (typeof value === 'string' ? value : JSON.stringify(value, null, 1))
    .replace(/(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')
    .replaceAll('<!--', '&lt;!--')
    .replace(/^/gm, '> ');

const CRITERION = 'What the objective asks for is done';

// A contract of what the seed tool is given. JSON is YAML.
const contractOf = ({ skill_name, agent_name, prompt, context }) => {
  const { files_assigned, explicit_direction, assumptions, relevant_memories } = context ?? {};
  const objective = quoted(String(prompt ?? ''));
  const head = {
    title: objective.slice(2).trim().split('\n')[0].slice(0, 80) || 'Without words',
    agent: [skill_name, agent_name].filter(Boolean).join('/'),
    adapter: 'host',
    ...(files_assigned?.length > 0 && { write: files_assigned }),
  };
  const parts = { Direction: explicit_direction, Assumptions: assumptions, Learnings: relevant_memories };
  const given = Object.entries(parts)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `### ${name}\n\n${quoted(value)}\n\n`);
  const keys = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return [
    `---\n${keys.join('')}---\n\n## Objective\n\n${objective}\n\n`,
    ...(given.length > 0 ? [`## Instructions\n\n${given.join('')}`] : []),
    `## Success Criteria\n\n- [ ] ${CRITERION}\n`,
  ].join('');
};

// The dialog of version 1 shows what is agreed to only where it is a change of a file.
const CONFIRM = 'contracts confirm ';
const confirming = (id, file, text) => {
  const lines = text.trimEnd().split('\n');
  const filepath = `${file}: allow = CONFIRM this contract, work begins`;
  const diff = [
    `--- /dev/null`,
    `+++ ${file}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
  return { permission: 'edit', patterns: [CONFIRM + id], always: [], metadata: { filepath, diff } };
};

// Hand-offs of the sessions of one folder. `host`: what a version of OpenCode does with a session.
const handOffs = (host) => {
  const { cwd } = host;
  // By session: what waits for its turn to end, and what is worked on in it.
  const waiting = new Map();
  const working = new Map();
  // Taken, and nobody works on it: the brief is given a second time.
  const open = new Map();
  const listOf = (map, session) => map.get(session) ?? map.set(session, []).get(session);

  const draft = async (args, call) => {
    const text = contractOf(args);
    const said = await contracts(cwd, ['new', '--from=-'], text);
    const id = said('created')?.id;
    const problem = said('problem')?.problem;
    if (id === undefined || problem !== undefined)
      return {
        success: false,
        ...(id && { task_id: id, status: 'DRAFT' }),
        error: problemOf(said, 'nothing was drafted').message,
        next: problem?.fix,
      };
    const left = {
      success: false,
      status: 'DRAFT',
      task_id: id,
      next: `A person types: contracts confirm ${id}; then call this again with task_id`,
    };
    const { criteria } = (await contracts(cwd, ['show', '--', id]))('story') ?? {};
    if (criteria?.length !== 1 || criteria[0] !== CRITERION)
      return { ...left, error: 'it reads otherwise than it was written' };
    // What the person is shown, and nothing else, is what is agreed to.
    const top = rootOf(cwd) ?? cwd;
    const { file } = said('created');
    const shown = textOf(join(top, file));
    if (shown === undefined || !(await call.ask(confirming(id, file, shown)))) return left;
    const changed = { ...left, error: 'its contract changed while the person was asked' };
    if (textOf(join(top, file)) !== shown) return changed;
    const moved = await contracts(cwd, ['confirm', '--', id]);
    if (moved('moved') === undefined) return { ...left, error: problemOf(moved, 'it was not confirmed').message };
    if (textOf(join(top, file.replace('/draft/', '/ready/'))) !== shown) {
      await contracts(cwd, ['abort', '--', id]);
      return changed;
    }
    await contracts(cwd, ['note', '--', id, 'The person confirmed it in a dialog of OpenCode.']);
    return { id };
  };

  const collected = async (id, run = contracts) => {
    const said = await run(cwd, ['collect', '--', id]);
    const shown = await run(cwd, ['show', '--', id]);
    return outcomeOf(cwd, shown('story'), said('problem')?.problem);
  };

  // What a session is told is lost with it, and nothing else.
  const note = (...said) => host.note(...said).catch(() => undefined);

  // Still in the attempt whose brief we have: nobody ended it, or took it, meanwhile.
  const isOurs = async ({ id, attempt }) => {
    const { state, attempts = [] } = (await contracts(cwd, ['show', '--', id]))('story') ?? {};
    return state === 'in_progress' && attempts.at(-1)?.number === attempt;
  };

  const begin = async (session, one) => {
    open.delete(one.id);
    if (!(await isOurs(one)))
      return void (await note(session, `${one.id} was taken back: nothing is handed off.`, one.from));
    listOf(working, session).push({ ...one });
    try {
      await host.prompt(session, one.agent, one.brief);
    } catch (error) {
      working.set(
        session,
        listOf(working, session).filter(({ id }) => id !== one.id),
      );
      open.set(one.id, one);
      await note(
        session,
        `The hand-off of ${one.id} did not begin: ${error}. skill_agent with task_id ${one.id} tries again.`,
        one.from,
      );
    }
  };

  // The turn of the session is over. What was given to it, and not begun, belongs to the next.
  const settled = async (session) => {
    const left = [];
    for (const one of listOf(working, session).splice(0)) {
      if (!one.begun) {
        left.push(one);
        continue;
      }
      const outcome = await collected(one.id, isHeadless() ? contractsNow : contracts);
      // Nothing handed in: the specialist may go on in a later turn.
      if (outcome.state === 'in_progress') {
        left.push({ ...one, told: outcome.reason });
        open.set(one.id, one);
      } else open.delete(one.id);
      if (one.told !== outcome.reason) await note(session, linesFor(outcome), one.from);
    }
    listOf(working, session).unshift(...left);
    if (listOf(working, session).some(({ told }) => told === undefined)) return;
    const next = listOf(waiting, session).shift();
    if (next !== undefined) await begin(session, next);
  };

  // Claims it for a specialist: its brief, and who that is here.
  const taken = async (asked) => {
    const said = await contracts(cwd, ['delegate', '--', asked]);
    const { id, brief, attempt } = said('delegated') ?? {};
    if (id === undefined) {
      const { message, fix } = problemOf(said, 'it could not be taken');
      return { success: false, task_id: asked, error: message, next: fix };
    }
    const { agent: name } = (await contracts(cwd, ['show', '--', id]))('story') ?? {};
    return { id, brief, attempt, name, agent: (await host.agents()).find((one) => one === name) };
  };

  const wait = async (call, one) => {
    const { id, brief, agent } = one;
    const child = await host.child(call.session, `contracts: ${id}`);
    const stop = () => void host.stop(child).catch(() => undefined);
    call.signal?.addEventListener('abort', stop, { once: true });
    let output;
    try {
      output = await host.answer(child, agent, brief);
    } catch (error) {
      output = String(error?.message ?? error);
    } finally {
      call.signal?.removeEventListener('abort', stop);
    }
    const { success, ...rest } = await collected(id);
    if (rest.state === 'in_progress') open.set(id, one);
    return { success, output, ...rest };
  };

  return {
    settled,
    busy: (session) => {
      for (const one of listOf(working, session)) one.begun = true;
    },
    // In a turn that nothing follows it begins before the turn ends.
    begun: async (session) => {
      if (isHeadless()) for (const one of listOf(waiting, session).splice(0)) await begin(session, one);
    },
    // The person stopped the turn: what waited for its end does not begin.
    stopped: async (session) => {
      for (const one of listOf(waiting, session).splice(0)) {
        open.set(one.id, one);
        await note(
          session,
          `The hand-off of ${one.id} did not begin: the turn was stopped. skill_agent with task_id ${one.id} tries again.`,
          one.from,
        );
      }
    },
    give: async (args, call) => {
      const made = args.task_id ? { id: args.task_id } : await draft(args, call);
      if (made.id === undefined) return made;
      const held = open.get(made.id);
      const one = held !== undefined && (await isOurs(held)) ? held : await taken(made.id);
      if (one.brief === undefined) return one;
      const { id, name } = one;
      open.delete(id);
      for (const [session, list] of working)
        working.set(
          session,
          list.filter((other) => other.id !== id),
        );
      if (args.async === false && args.run_in_background !== true) return wait(call, one);
      listOf(waiting, call.session).push({ ...one, from: call.agent });
      const handoff = { target_agent: name, session_id: call.session, task_id: id };
      return {
        success: true,
        status: 'HANDOFF_INTENT',
        metadata: { handoff },
        next: 'End your turn: the specialist goes on in this session.',
      };
    },
  };
};

// An agent that a file of the project holds to some files, or to none: its permissions.
const holding = (cwd) => {
  const known = new Map();
  return (agent) => {
    if (agent === undefined || inAttempt() || rootOf(cwd) === undefined) return undefined;
    if (known.has(agent)) return known.get(agent);
    const read = contractsNow(cwd, ['agents', 'show', '--', agent])('agent_story');
    const isHeld = read?.source === 'project' && !read.permissions?.write?.includes('**');
    // What cannot be read now is read again.
    if (read !== undefined) known.set(agent, isHeld ? read.permissions : undefined);
    return known.get(agent);
  };
};

// What our hook says of a use: undefined without objection, else `deny` or `ask` and why.
const judgedBy = (cwd, given) => {
  if (!inAttempt() && rootOf(cwd) === undefined) return undefined;
  const asked = hook('pre-tool-use', { ...given, cwd });
  if (asked.error?.code === 'ENOENT') return undefined;
  const failed = (why) => ({ decision: 'deny', why: why || 'contracts hook failed, and said nothing' });
  if (asked.status !== 0) return failed(asked.stderr || asked.error?.message);
  if (asked.stdout === '') return undefined;
  try {
    const { permissionDecision, permissionDecisionReason } = JSON.parse(asked.stdout).hookSpecificOutput;
    return { decision: permissionDecision, why: permissionDecisionReason };
  } catch {
    return failed(`contracts hook answered otherwise than expected: ${asked.stdout.slice(0, 200)}`);
  }
};
const ASK_IN_TERMINAL = '. Ask the person to do this in a terminal';

// Verbs that decide in the place of a person.
const DECIDING =
  'confirm|approve|needs-work|reject|answer|retry|abort|undo|review|pause|import|merge|archive|trust|plan start|team start|team discuss|team auto|memory add|memory accept|memory feedback|memory forget|memory dedupe|memory assumptions';
const VERBS = DECIDING.split('|');

const matches = (glob, text) =>
  new RegExp(
    `^${glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  ).test(text);

// Rules of these for one name: of a name with a pattern, too, each as a glob and its effect, in their order.
const rulesFor = (name, ...permissions) =>
  permissions.flatMap((permission) =>
    Object.entries(typeof permission === 'string' ? { '*': permission } : (permission ?? {})).flatMap(([key, rule]) =>
      !matches(key, name) ? [] : typeof rule === 'string' ? [['*', rule]] : Object.entries(rule ?? {}),
    ),
  );

// True where a glob may fit a command with this beginning.
const mayFit = (glob, beginning) => {
  const [plain = ''] = glob.split(/[*?]/);
  return plain.startsWith(beginning) || beginning.startsWith(plain.trimEnd());
};

// Makes OpenCode 1 ask before these verbs, as its last rules. Where a rule of the person denies some of it nothing is
// added: then `shell.env` below refuses. `own`: what it is put into; `above`: what that comes after.
const asking = (own, above) => {
  const all = typeof own === 'string' ? { '*': own } : { ...own };
  const withAsks = (name, beginnings) => {
    const rules = rulesFor(name, above, own);
    if (above !== undefined && rulesFor(name, own).length === 0) return {};
    const asks = beginnings.filter((one) => !rules.some(([glob, effect]) => effect === 'deny' && mayFit(glob, one)));
    if (asks.length === 0) return {};
    const held = typeof all[name] === 'string' ? { '*': all[name] } : all[name];
    return { [name]: { ...held, ...Object.fromEntries(asks.map((one) => [`${one}*`, 'ask'])) } };
  };
  const verbs = VERBS.map((verb) => `contracts ${verb}`);
  return { ...all, ...withAsks('bash', verbs), ...withAsks('edit', [CONFIRM]) };
};

// What waits, for a session that begins; empty otherwise.
const contextOf = (given) => {
  try {
    return JSON.parse(hook('user-prompt', given).stdout).hookSpecificOutput.additionalContext;
  } catch {
    // The session continues without it.
    return '';
  }
};

const server = async ({ directory: cwd, client }) => {
  // Of persons: a session of a subagent has a parent.
  const sessions = new Set();
  const children = new Set();
  const agents = new Map();
  const idle = new Map();
  const heldTo = holding(cwd);
  // Calls that a person must allow, by their id, and the requests that ask about one of them.
  const mustAsk = new Map();
  const requests = new Map();
  const awaits = (callID, sessionID, permission) =>
    mustAsk.set(callID, { sessionID, permission, isAllowed: false }).get(callID);
  const isOurs = () => !inAttempt() && rootOf(cwd) !== undefined;

  const bodyOf = (agent, text) => ({ ...(agent && { agent }), parts: [{ type: 'text', text }] });
  const worked = ({ data, error }) => {
    if (error !== undefined) throw new Error(error.data?.message ?? JSON.stringify(error));
    return data;
  };
  const hands = handOffs({
    cwd,
    agents: async () => worked(await client.app.agents()).map(({ name }) => name),
    prompt: async (id, agent, text) =>
      worked(await client.session.promptAsync({ path: { id }, body: bodyOf(agent, text) })),
    note: async (id, text, agent) =>
      client.session.prompt({ path: { id }, body: { noReply: true, ...bodyOf(agent, text) } }),
    child: async (parentID, title) => worked(await client.session.create({ body: { parentID, title } })).id,
    answer: async (id, agent, text) => {
      const over = new Promise((done) => idle.set(id, done));
      const { info, parts } = worked(await client.session.prompt({ path: { id }, body: bodyOf(agent, text) }));
      await over;
      idle.delete(id);
      const said = parts.filter(({ type }) => type === 'text').map((part) => part.text);
      return info.error === undefined ? said.join('\n') : `${info.error.name}: ${info.error.data?.message ?? ''}`;
    },
    stop: (id) => client.session.abort({ path: { id } }),
  });

  const end = async (session_id) => {
    if (!sessions.delete(session_id)) return;
    try {
      const { data } = await client.session.messages({ path: { id: session_id } });
      hook('session-end', { session_id, cwd, transcript: data });
    } catch {
      hook('session-end', { session_id, cwd });
    }
  };

  const events = {
    'session.created': ({ info }) => void (info?.parentID && children.add(info.id)),
    'session.deleted': ({ info }) => end(info?.id),
    'session.status': async ({ sessionID, status }) => {
      if (status?.type === 'busy') return hands.busy(sessionID);
      if (status?.type !== 'idle') return;
      idle.get(sessionID)?.();
      await hands.settled(sessionID);
    },
    'session.error': ({ sessionID, error }) =>
      error?.name === 'MessageAbortedError' ? hands.stopped(sessionID) : undefined,
    // Another question of the same call, such as one about a folder, does not show what it does.
    'permission.asked': ({ id, sessionID, permission, tool }) => {
      const call = mustAsk.get(tool?.callID);
      if (call?.sessionID === sessionID && call.permission === permission) requests.set(id, call);
    },
    'permission.replied': ({ requestID, reply }) => {
      const call = requests.get(requestID);
      requests.delete(requestID);
      if (call !== undefined) call.isAllowed = reply !== 'reject' && !isHeadless();
    },
  };
  const context = async (session_id, message, parts) => {
    if (inAttempt() || children.has(session_id) || sessions.has(session_id)) return;
    sessions.add(session_id);
    const texts = parts.filter((one) => one.type === 'text' && !one.synthetic);
    const text = contextOf({ session_id, cwd, prompt: texts.map((one) => one.text).join('\n') });
    if (text === '') return;
    parts.push({
      id: `prt_0contracts${Date.now()}`,
      sessionID: session_id,
      messageID: message.id,
      type: 'text',
      synthetic: true,
      text,
    });
  };

  const tool = {
    skill_agent: {
      description: TOOL.description,
      args: TOOL.properties,
      execute: async (args, { sessionID, agent, abort, callID, ask }) => {
        // A rule may allow it without a person: the reply to a question is what counts.
        const isAllowed = async (request) => {
          if (isHeadless()) return false;
          const call = awaits(callID, sessionID, request.permission);
          return ask(request)
            .then(
              () => call.isAllowed,
              () => false,
            )
            .finally(() => mustAsk.delete(callID));
        };
        const said = await hands.give(args, { session: sessionID, agent, signal: abort, ask: isAllowed });
        return {
          title: said.task_id ?? '',
          output: JSON.stringify(said),
          metadata: { success: said.success, status: said.status, ...said.metadata },
        };
      },
    },
  };

  return {
    ...(isOurs() && { tool }),
    config: async (config) => {
      if (!isOurs()) return;
      config.mcp = { contracts: { type: 'local', command: ['contracts', 'mcp'] }, ...config.mcp };
      const above = config.permission;
      config.permission = asking(above);
      for (const one of Object.values(config.agent ?? {}))
        if (one?.permission !== undefined) one.permission = asking(one.permission, above ?? {});
    },
    'tool.definition': async ({ toolID }, output) => {
      // Without this all are required.
      if (toolID === 'skill_agent' && output.jsonSchema) output.jsonSchema = { ...output.jsonSchema, required: [] };
    },
    event: async ({ event: { type, properties } }) => events[type]?.(properties ?? {}),
    dispose: async () => {
      for (const id of sessions) await end(id);
    },
    'chat.message': async ({ sessionID, agent }, { message, parts }) => {
      agents.set(sessionID, message.agent ?? agent);
      await context(sessionID, message, parts);
    },
    'tool.execute.before': async ({ tool: tool_name, sessionID, callID }, { args }) => {
      const judged = judgedBy(cwd, { tool_name, tool_input: args, permissions: heldTo(agents.get(sessionID)) });
      if (judged === undefined) return;
      if (judged.decision !== 'ask' || tool_name !== 'bash' || isHeadless())
        throw new Error(judged.decision === 'ask' ? judged.why + ASK_IN_TERMINAL : judged.why);
      awaits(callID, sessionID, 'bash');
    },
    // Before its program starts: a command that only a person decides, which OpenCode did not ask about.
    'shell.env': async ({ callID }) => {
      const call = mustAsk.get(callID);
      mustAsk.delete(callID);
      if (call?.isAllowed === false)
        throw new Error(`contracts: nobody was asked about this command${ASK_IN_TERMINAL}`);
    },
    'tool.execute.after': async ({ tool: name, sessionID }) => {
      if (name === 'skill_agent') await hands.begun(sessionID);
    },
  };
};

// Tools of version 2 by the names of version 1, which our hook knows.
const NAMES = { shell: 'bash', subagent: 'task' };

// Version 2, from its sources (packages/plugin/src/promise of anomalyco/opencode, September and October 2026).
const setup = async (ctx) => {
  const cwd = process.env.PWD ?? process.cwd();
  if (!inAttempt() && rootOf(cwd) === undefined) return undefined;
  const heldTo = holding(cwd);
  const judged = new Map();
  await ctx.tool.hook('execute.before', ({ tool, input, agent, id }) => {
    const answer = judgedBy(cwd, { tool_name: NAMES[tool] ?? tool, tool_input: input, permissions: heldTo(agent) });
    if (answer !== undefined) judged.set(id, answer);
    // What is refused here is refused below too, where this version does not take an error for a refusal.
    if (answer?.decision === 'deny') throw new Error(answer.why);
  });
  await ctx.permission.hook('evaluate', (event) => {
    const answer = judged.get(event.source?.id);
    if (answer === undefined || event.effect === 'deny') return;
    event.effect = answer.decision === 'ask' && !isHeadless() ? 'ask' : 'deny';
    event.message = answer.why + (answer.decision === 'ask' ? ASK_IN_TERMINAL : '');
  });
  if (inAttempt()) return undefined;
  const given = new Map();
  const hands = handOffs({
    cwd,
    agents: async () => (await ctx.agent.list()).map(({ id, name }) => id ?? name),
    prompt: async (sessionID, agent, text) => {
      if (agent !== undefined) await ctx.session.switchAgent({ sessionID, agent });
      await ctx.session.prompt({ sessionID, text, delivery: 'queue' });
    },
    note: (sessionID, text) => ctx.session.synthetic({ sessionID, text, description: 'contracts', resume: false }),
    child: async (parentID, title) => (await ctx.session.create({ parentID, title })).id,
    answer: async (sessionID, agent, text) => {
      if (agent !== undefined) await ctx.session.switchAgent({ sessionID, agent });
      await ctx.session.prompt({ sessionID, text });
      await ctx.session.wait({ sessionID });
      const last = (await ctx.session.context({ sessionID })).findLast(({ type }) => type === 'assistant');
      return (last?.content ?? [])
        .filter(({ type }) => type === 'text')
        .map((part) => part.text)
        .join('\n');
    },
    stop: (sessionID) => ctx.session.interrupt({ sessionID }),
  });
  await ctx.tool.transform((editor) =>
    editor.add({
      name: 'skill_agent',
      description: TOOL.description,
      input: { type: 'object', properties: TOOL.properties },
      // Otherwise it hides behind a tool that runs code.
      options: { codemode: false },
      execute: async (args, { sessionID, agent, signal }) => {
        // A tool of this version cannot ask.
        const said = await hands.give(args, { session: sessionID, agent, signal, ask: async () => false });
        return {
          output: said,
          content: JSON.stringify(said),
          metadata: { success: said.success, status: said.status, ...said.metadata },
        };
      },
    }),
  );
  await ctx.tool.hook('execute.after', async ({ tool, sessionID, id }) => {
    judged.delete(id);
    if (tool === 'skill_agent') await hands.begun(sessionID);
  });
  // Before each call of a model, and not kept: so it stands there after a compaction, too.
  await ctx.session.hook('context', (event) => {
    if (!given.has(event.sessionID))
      given.set(event.sessionID, contextOf({ session_id: event.sessionID, cwd, prompt: '' }));
    const text = given.get(event.sessionID);
    if (text) event.system.push({ type: 'text', text });
  });
  const over = new AbortController();
  const follow = async () => {
    for await (const { type, data } of ctx.event.subscribe({ signal: over.signal }))
      if (type === 'session.execution.started') hands.busy(data.sessionID);
      else if (type === 'session.execution.interrupted') await hands.stopped(data.sessionID);
      else if (/^session\.execution\.(succeeded|failed)$/.test(type)) await hands.settled(data.sessionID);
  };
  follow().catch(() => undefined);
  return () => over.abort();
};

export default { id: 'contracts', server, setup };
