/** The server as a client has it: the built command, called by the official client library. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { BINARY, contractsIn } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

export interface Said {
  readonly error: boolean;
  /** The JSON of its text. */
  readonly said: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface Form {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, string>>;
}

/** A workspace that its person trusts, in which agents are called by a host. */
export function hostRoom(config = 'adapter: host\n') {
  const root = sealedFolder('mcp');
  const env = { ...sealedEnv(), HOME: `${root}/home`, CONTRACTS_TRUST: '1' };
  const typed = (...words: string[]) => {
    const { status, stdout, stderr } = contractsIn(root, words, { env });
    return { status, stdout, stderr };
  };
  return { root, env, typed, config };
}

/** `form`: what the person does in each form of the client, which has forms only then. */
export async function connected(
  cwd: string,
  env: NodeJS.ProcessEnv,
  {
    form,
    words = [],
  }: { readonly form?: (message: string) => Form; readonly words?: string[] } = {},
) {
  const capabilities = form === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'tried', version: '1.0.0' }, { capabilities });
  const asked: string[] = [];
  if (form !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const { message } = params;
      asked.push(message);
      const said = form(message);
      // A person fills in what is titled "Question 1": q1 here.
      const fields =
        'requestedSchema' in params ? Object.keys(params.requestedSchema.properties) : [];
      const named = Object.entries(said.content ?? {}).map(([q, answer]) => [
        fields.find((one) => one.startsWith(`${q}_`)) ?? q,
        answer,
      ]);
      return { ...said, content: Object.fromEntries(named) } as never;
    });
  const args = [BINARY, 'mcp', ...words];
  const inherited = Object.entries(env).filter(([, value]) => value !== undefined);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd,
    env: Object.fromEntries(inherited) as Record<string, string>,
    stderr: 'pipe',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, given: object = {}, more: object = {}): Promise<Said> => {
    const answer = await client.callTool({ name, arguments: { ...given } }, more);
    const [part] = answer.content as readonly { readonly text?: string }[];
    const text = part?.text ?? '';
    const isJson = text.startsWith('{');
    return {
      error: answer.isError === true,
      said: isJson ? (JSON.parse(text) as Said['said']) : {},
      text,
    };
  };
  // It is no event target.
  const ended = new Promise<void>((resolve) => Object.assign(client, { onclose: resolve }));
  return { client, call, asked, ended, pid: transport.pid ?? 0 };
}
