/**
 * Ending processes.
 */
import type { Machine, ProcessRef } from './machine.ts';
export async function killOrphan(
  ref: ProcessRef,
  mark: string,
  machine: Machine,
  grace_ms: number,
): Promise<number> {
  void [ref, mark, machine, grace_ms];
  throw new Error('not yet');
}
export function findMarked(mark: string): number[] {
  void mark;
  throw new Error('not yet');
}
