/**
 * The person's own bell: `on_state` of the configuration, called after a move with the id ({{id}}
 * or {{task}}) and the {{state}} filled in. No shell; nobody waits for it, and its failure is
 * nobody's failure: that it cannot ring at all is said by doctor, by check and once by a step.
 */
import { join } from 'node:path';
import { runDetached } from '../agent/detached.ts';
import { isInstalled } from '../agent/program.ts';
import { problem, type Problem } from '../core/problem.ts';
import type { State } from '../core/state.ts';
import { readText } from './read-text.ts';
import type { Workspace } from './workspace.ts';

export function notifyState(ws: Workspace, id: string, state: State): void {
  const [program, ...rest] = ws.config.on_state ?? [];
  if (program === undefined) return;
  const fill = (text: string): string =>
    text.replace(/\{\{(id|task|state)\}\}/g, (_, name) => (name === 'state' ? state : id));
  runDetached([program, ...rest.map(fill)], ws.layout.root);
}

/** The program of `on_state` is not there; nothing when none is set. */
export function bellProblems(ws: Workspace): readonly Problem[] {
  const program = ws.config.on_state?.[0];
  if (program === undefined) return [];
  if (isInstalled(program, ws.env['PATH'] ?? '', ws.layout.root)) return [];
  const file = '.contracts/config.yaml';
  const read = readText(ws.disk, join(ws.layout.root, file), file, { single_link: false });
  const lines = read.ok ? read.value.split('\n') : [];
  return [
    problem({
      code: 'environment',
      severity: 'warning',
      file,
      line:
        Math.max(
          0,
          lines.findIndex((line) => line.startsWith('on_state')),
        ) + 1,
      message: 'the program of on_state is not installed here, so nobody is told of a move',
      found: program,
      fix: `Install ${program}, correct its name, or take on_state out`,
    }),
  ];
}
