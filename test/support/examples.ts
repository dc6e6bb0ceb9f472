/**
 * Plays a page of docs/examples: its commands in a workspace with its configuration, the real client
 * at hand, and a scripted model that asks one question. Gives the page as it would be now.
 */
import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY } from './binary.ts';
import type { ClientName } from './clients.ts';
import { startModel } from './model/server.ts';
import { playPage, steady, type PlayedPage } from './page.ts';
import { makeRoom, type Room } from './stage.ts';
import { putFile } from './sealed-folder.ts';

const FOLDER = fileURLToPath(new URL('../../docs/examples/', import.meta.url));

export interface Example {
  readonly name: string;
  readonly client: ClientName;
}

export function pageOf({ name }: Example): string {
  return readFileSync(join(FOLDER, name, 'README.md'), 'utf8');
}

export async function playExample(example: Example): Promise<PlayedPage> {
  const model = await startModel('question');
  const room = makeRoom(example.client, model.url, example.name);
  try {
    const played = await playPage(pageOf(example), {
      file: (name, text) => writeFileSync(join(room.root, name), text),
      shell: (command) => shell(room, command),
    });
    if (process.env['UPDATE_README'] === '1') {
      writeFileSync(join(FOLDER, example.name, 'README.md'), played.next);
    }
    return played;
  } finally {
    await model.close();
  }
}

/** As a person at a terminal has it: `contracts` is on the PATH. */
function shell({ root, home, env }: Room, command: string): Promise<string> {
  const bin = join(home, 'bin');
  putFile(join(bin, 'contracts'), `#!/bin/sh\nexec node ${BINARY} "$@"\n`);
  chmodSync(join(bin, 'contracts'), 0o755);
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: root,
    env: { ...env, PATH: `${bin}:${env['PATH'] ?? ''}`, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(steady(text.replaceAll(root, '/home/you/shop'))));
  });
}
