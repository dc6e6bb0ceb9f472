/** The exit codes, and what every verb gets. */
import type { VerbEffects } from '../../permissions/core/person-commands.ts';
import type { Ports, Workspace } from '../../workspace/open/workspace.ts';
import type { Streams } from '../streams/streams.ts';

/** `people`: they are needed, or problems were found; `fault`: of the environment; `bug`: ours. */
export const EXIT = { fine: 0, people: 1, usage: 2, fault: 3, bug: 70, interrupted: 130 } as const;

/** `people`: something waits for them. */
export function exitOf(interrupted: boolean, faulted: boolean, people: boolean): number {
  if (interrupted) return EXIT.interrupted;
  if (faulted) return EXIT.fault;
  return people ? EXIT.people : EXIT.fine;
}

export interface Frame {
  readonly streams: Streams;
  readonly ports: Partial<Ports>;
  readonly capabilities: readonly object[];
  /** The effect of each verb on a tree; command lines of agents are judged by it. */
  effects(): VerbEffects;
  /** Called once after a verb that made, moved or answered a task. */
  after(ws: Workspace): Promise<void>;
  /** Runs another line of the command in this process; gives its exit code. */
  again(argv: readonly string[], streams: Streams): Promise<number>;
  /** The verb that was typed changes nothing. */
  readonly reads?: boolean;
  code: number;
  /** Clients that this command asked and that are not logged in. */
  logged_out?: readonly string[];
  /** A task was made, moved or answered. */
  changed?: true;
}
