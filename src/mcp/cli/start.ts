/** `contracts mcp`: a server over stdin and stdout, a program of its own beside the command. */
import { McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { endingAfter } from '../../cli/terminal/interruptible.ts';
import { ownAttempt } from '../../process/own-attempt.ts';
import type { Fields } from '../../task/core/base/json.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { packageVersion } from '../../workspace/open/package-version.ts';
import { seedToolsOf, type SeedTool } from '../core/seed-tools.ts';
import { DESK_TOOLS, OUTPUT, TOOLS, type Tool } from '../core/tools.ts';
import { askPerson } from '../engine/ask-person.ts';
import { deskOf } from '../engine/desk.ts';
import {
  answered,
  collect,
  delegate,
  fileOf,
  list,
  make,
  read,
  Refused,
  seedTool,
  show,
  storyIn,
  type Here,
  type ListInput,
  type Waiting,
} from '../engine/tasks.ts';
import { callerIn } from '../../cli/startup/verbs-here.ts';

const INSTRUCTIONS =
  'Tasks as folders of Markdown files. Write each with new and let the person confirm it; delegate gives its brief; when the work is done, collect judges it. What only a person may do is returned as a command for them to type.';
const FILES = new Set(['contract.md', 'status.md', 'questions.md', 'result.md']);

interface Id {
  readonly id: string;
}
type Act = (input: never, context: ServerContext) => Promise<object>;

export function start(): void {
  const argv = process.argv.slice(2);
  const dir = valueOf(argv, '-C') ?? valueOf(argv, '--dir');
  const asked = valueOf(argv, '--tools');
  const more = asked === undefined ? [] : seedToolsOf(asked);
  if (more === undefined || argv.some((word) => word === '--help' || word === '-h')) {
    // The command prints help, and refuses.
    void import('../../cli/startup/main.ts').then(({ start: command }) => command());
    return;
  }
  const attempt = ownAttempt(process.env);
  const begun: Here['begun'] = new Map();
  endingAfter(() => Promise.allSettled(begun.values()));
  serveStdio(() => (attempt === undefined ? hostServer(dir, more, begun) : deskServer(attempt)));
}

function valueOf(argv: readonly string[], flag: string): string | undefined {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = argv[at];
  return word?.includes('=') ? word.slice(word.indexOf('=') + 1) : argv[at + 1 || argv.length];
}

function serverNamed(): McpServer {
  const about = { name: 'contracts', title: 'contracts', version: packageVersion() };
  return new McpServer(about, { instructions: INSTRUCTIONS });
}

type More = readonly (readonly [name: string, tool: SeedTool])[];

function hostServer(dir: string | undefined, more: More, begun: Here['begun']): McpServer {
  const server = serverNamed();
  const here: Here = { call: callerIn(dir), dir: dir ?? '.', begun };
  const acts: Readonly<Record<keyof typeof TOOLS, Act>> = {
    new: (input: Parameters<typeof make>[1]) => make(here, input),
    delegate: ({ id }: Id) => delegate(here, id),
    collect: ({ id, wait_s }: Id & { readonly wait_s?: number }, context) =>
      collect(here, id, wait_s, waitingOf(context)),
    questions: ({ id }: Partial<Id>, context) =>
      id === undefined ? allQuestions(here) : questionsOf(here, id, server, context),
    show: ({ id }: Id) => show(here, id),
    list: (input: ListInput) => list(here, input),
  };
  for (const [name, tool] of Object.entries(TOOLS))
    register(server, name, tool, acts[name as keyof typeof TOOLS]);
  for (const [name, tool] of more)
    register(server, name, tool, (given) => seedTool(here, tool, given));
  const template = new ResourceTemplate('contracts://{task}/{file}', { list: undefined });
  const about = { title: 'A file of a task', mimeType: 'text/markdown' };
  server.registerResource('task file', template, about, async (uri, { task, file }) => {
    const story = await storyIn(here, String(task));
    if (!FILES.has(String(file))) throw new Error(`a task has no file ${String(file)}`);
    const text = textIfThere(realDisk, fileOf(here, story, String(file)));
    if (text === undefined) throw new Error(`${String(task)} has no ${String(file)} yet`);
    return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] };
  });
  return server;
}

async function allQuestions(here: Here): Promise<object> {
  const { tasks, more } = await list(here, { state: ['questions'] });
  return { tasks: await Promise.all(tasks.map(({ id }) => answered(here, String(id)))), more };
}

async function questionsOf(here: Here, typed: string, server: McpServer, context: ServerContext) {
  const asking = await answered(here, typed);
  const client = server.server.getClientVersion()?.name ?? 'the client';
  const hasForms = server.server.getClientCapabilities()?.elicitation !== undefined;
  const form = hasForms ? await askPerson(here.call, asking, context, client) : undefined;
  return form ?? answered(here, asking.id);
}

function deskServer(attempt: Readonly<Record<string, string | undefined>>): McpServer {
  const server = serverNamed();
  const acts = deskOf(attempt);
  for (const [name, tool] of Object.entries(DESK_TOOLS))
    register(server, name, tool, acts[name as keyof typeof DESK_TOOLS]);
  return server;
}

function register(server: McpServer, name: string, { description, input, reads }: Tool, act: Act) {
  const standard = input['~standard'];
  const about = {
    description,
    // Listed as it is, and judged here: a refusal by the library would be no problem with a code.
    inputSchema: { '~standard': { ...standard, validate: (value: unknown) => ({ value }) } },
    annotations: { readOnlyHint: reads === true, destructiveHint: false, openWorldHint: false },
  };
  server.registerTool(name, about, async (given, context) => {
    try {
      const asked = await act(read(input, given) as never, context);
      if ('inputRequests' in asked) return asked as never;
      const said = OUTPUT.parse(asked);
      // Clients give their models the text alone.
      const text = JSON.stringify(said);
      return { content: [{ type: 'text', text }], structuredContent: said as Fields };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const text = JSON.stringify({ error: error.problem });
      return { content: [{ type: 'text', text }], isError: true };
    }
  });
}

function waitingOf({ mcpReq }: ServerContext): Waiting {
  const token = mcpReq._meta?.['progressToken'] as string | number | undefined;
  let at = 0;
  return {
    signal: mcpReq.signal,
    progress: (message) => {
      if (token === undefined || mcpReq.signal.aborted) return;
      const params = { progressToken: token, progress: ++at, message };
      void mcpReq.notify({ method: 'notifications/progress', params });
    },
  };
}
