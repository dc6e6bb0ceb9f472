/**
 * The exit codes, and what every verb gets: the streams, the ports to the world where they are not
 * the real ones, and a place for its exit code.
 */
import type { Ports } from '../../workspace/open/workspace.ts';
import type { Streams } from '../output/output.ts';

export const EXIT = { fine: 0, people: 1, usage: 2, fault: 3, bug: 70, interrupted: 130 } as const;

export interface Frame {
  readonly streams: Streams;
  readonly ports: Partial<Ports>;
  /** What joins the workspaces that are opened. */
  readonly capabilities: readonly object[];
  /** The verb that was typed changes nothing. */
  readonly reads?: boolean;
  code: number;
}
