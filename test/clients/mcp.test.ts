/**
 * The server of contracts in each real client, against the scripted model: entered by `contracts init --with mcp`, with
 * what init says that each needs, it makes a task, takes it, asks, hands in and has it judged.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordinaryUser, type OrdinaryUser } from '../support/as-user.ts';
import { CLIENT_NAMES, clientsMissing, type ClientName } from '../support/clients.ts';
import { hostRoom } from '../support/host-room.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { MADE } from '../support/model/stories.ts';
import { isInShare, share } from '../support/share.ts';

const ALLOWED = ['new', 'delegate', 'collect'].map((tool) => `mcp__contracts__${tool}`);

/** With what a person answers at a terminal: what init says that each asks. */
const ARGUMENTS: Readonly<
  Record<ClientName, (model: string, prompt: string) => readonly string[]>
> = {
  claude: (model, prompt) =>
    ['-p', prompt, '--model', model, '--permission-mode', 'acceptEdits'].concat([
      '--settings',
      '{"enabledMcpjsonServers":["contracts"]}',
      '--allowedTools',
      ['Write', ...ALLOWED].join(','),
    ]),
  codex: (_, prompt) =>
    ['exec', '--disable', 'plugins', '--sandbox', 'workspace-write'].concat([
      '-c',
      'mcp_servers.contracts.default_tools_approval_mode="approve"',
      prompt,
    ]),
  gemini: (model, prompt) => ['-p', prompt, '-m', model, '--approval-mode', 'auto_edit'],
  opencode: (model, prompt) => ['run', '-m', model, '--title', 'Host', prompt],
};

/** With the server that init enters, and what a person then does in the files of the client. */
function makeRoom(client: ClientName, model: ModelServer, user?: OrdinaryUser) {
  const room = hostRoom(client, model, user);
  const said = room.typed('init', '--with', 'mcp');
  if (client === 'codex')
    fs.appendFileSync(
      join(room.home, '.codex/config.toml'),
      `\n[projects."${room.root}"]\ntrust_level = "trusted"\n`,
    );
  if (client === 'gemini') {
    const file = join(room.root, '.gemini/settings.json');
    const settings = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, settings.replace('"command"', '"trust": true,\n      "command"'));
  }
  room.typed('trust');
  const play = (story: string) =>
    room.play(ARGUMENTS[client](room.model, `Do this: [story:${story}]`));
  return { ...room, play, said };
}

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** For a commit two clients, one as each of them; at night all. */
const PEOPLE = ['ourselves', 'an ordinary user'];

describe.each(CLIENT_NAMES.map((client, at) => [client, at] as const))('%s', (client, at) => {
  const isMissing = clientsMissing([client]).length > 0 || !isInShare(at >> 1, 2);
  test.skipIf(isMissing).each(share(PEOPLE, PEOPLE.length, at))(
    'as %s it makes a task, takes it, asks, hands in and collects by the tools',
    async (who) => {
      const user = who === 'ourselves' ? undefined : ordinaryUser(client);
      const { root, typed, play, said } = makeRoom(client, model, user);
      expect(said).toContain(`${client} `);
      const stateOf = (): unknown => {
        const story = JSON.parse(typed('show', 'by-host', '--json')) as Record<string, unknown>;
        return story['state'];
      };
      const made = await play('host-makes');
      expect(fs.existsSync(join(root, 'active_tasks/draft/by-host')), made).toBe(true);
      typed('confirm', 'by-host');
      const asked = await play(`host-asks ${root}`);
      expect(stateOf(), asked).toBe('questions');
      typed('answer', 'by-host', 'Ada');
      const done = await play(`host-hands-in ${root}`);
      expect(stateOf(), done).toBe('done');
      expect(fs.readFileSync(join(root, MADE), 'utf8')).toBe('Hello, Ada\n');
    },
  );
});
