/**
 * A workspace in a folder of its own in which the command is called in this process, and real `sh` programs
 * are the agents: each is `programs/team-member.sh`, which does what `.contracts/roles` says.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../src/cli/startup/program.ts';
import { PROGRAMS } from './golden-case.ts';
import type { Ports } from '../../src/workspace/open/workspace.ts';
import { putFile, sealedEnv, sealedFolder } from './sealed-folder.ts';

const CONFIG = `adapter: agent
adapters:
  agent: { type: command, run: [sh, .contracts/agent.sh] }
`;

/** One command line in this process, at a terminal of so many `columns`. */
export async function saidHere(
  argv: readonly string[],
  ports: Partial<Ports> = {},
  columns?: number,
) {
  let [out, err] = ['', ''];
  const streams = {
    ...(columns === undefined ? {} : { isTTY: true, columns }),
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const code = await main(argv, streams, ports);
  return { code, out, err };
}

/** As with `2>&1`. */
export async function textHere(argv: readonly string[], ports: Partial<Ports> = {}) {
  let text = '';
  const print = (more: string): void => void (text += more);
  const code = await main(argv, { out: print, err: print }, ports);
  return { code, text };
}

export function commandRoom(config = CONFIG) {
  const root = sealedFolder('room');
  const write = (path: string, text: string): void => putFile(join(root, path), text);
  write('.contracts/config.yaml', config);
  cpSync(join(PROGRAMS, 'team-member.sh'), join(root, '.contracts/agent.sh'));
  const saidAt = (columns: number | undefined, argv: readonly string[]) => {
    const env = { ...sealedEnv(), HOME: join(root, 'home'), CONTRACTS_TRUST: '1' };
    return saidHere(['-C', root, ...argv], { env }, columns);
  };
  return {
    root,
    write,
    /** Runs one command line; a person is at it, who trusts the workspace. */
    said: (...argv: string[]) => saidAt(undefined, argv),
    /** At a terminal of so many columns. */
    seen: (columns: number, ...argv: string[]) => saidAt(columns, argv),
    /** Ids without their suffix, by state. */
    states: () => {
      const tasks = join(root, 'active_tasks');
      return Object.fromEntries(
        readdirSync(tasks)
          .filter((state) => !state.startsWith('.'))
          .flatMap((state) =>
            readdirSync(join(tasks, state)).map((id) => [id.replace(/-[0-9a-z]{4}$/, ''), state]),
          ),
      ) as Readonly<Record<string, string>>;
    },
    /** A file of the task whose id begins so. */
    fileOf: (begins: string, file: string): string => {
      const tasks = join(root, 'active_tasks');
      for (const state of readdirSync(tasks).filter((one) => !one.startsWith('.'))) {
        const id = readdirSync(join(tasks, state)).find((one) => one.startsWith(`${begins}-`));
        if (id !== undefined) return readFileSync(join(tasks, state, id, file), 'utf8');
      }
      throw new Error(`there is no task ${begins}`);
    },
  };
}
