/** A session of a host client ended: a contract for the memory-catcher, with what the client knew of it. */
import { sha256 } from '../../task/store/disk/hash.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { makeTasks } from '../../engine/board/make-task.ts';
import { composeContract } from '../../engine/commands/create.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import {
  capabilitiesOf,
  type Section,
  type SessionEnded,
} from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { LEARNING_TYPES } from '../core/learning.ts';
import { CATCHER } from './folder.ts';

const INSTRUCTIONS = `List what the session taught under \`## Learnings\` of result.md, one item each:
\`- [type] What to do, when, and why. (confidence 0.8; entities: library:zod; tags: …)\`
The types are ${LEARNING_TYPES.join(', ')}. The tags are eight to twelve words that are not in it: what a task would be about that needs it, and what somebody would see or say who does not know it.
Write no other file. If it taught nothing, leave the section out.`;

/** One a session, however often its end is reported. Nothing is made of a session without words, files or corrections. */
export async function makeCatcher(ws: Workspace, ended: SessionEnded): Promise<void> {
  const { memory_catcher: mode } = ws.config;
  const { client, session, summary, files, corrections } = ended;
  if (mode === 'off' || [summary.trim(), ...files, ...corrections].every((one) => one === ''))
    return;
  const id = `learnings-${sha256(`${client} ${session}`).slice(0, 12)}`;
  const composed = composeContract(ws, {
    title: `Learnings of a session with ${oneLine(client)}`,
    objective: 'Read `session.md` below NOTES, and keep what will help later tasks.',
    criteria: ['Each learning is true beyond this session, and says when it applies'],
    instructions: INSTRUCTIONS,
    head: { agent: CATCHER },
  });
  if (!composed.ok) return;
  const asked = capabilitiesOf(ws).map(
    (one) => one.session?.(ws, { event: 'end', words: '' }) ?? [],
  );
  const note = escapeText(noteOf(ended, (await Promise.all(asked)).flat()), { multiline: true });
  const notes = [{ name: 'session.md', bytes: bytesOf(note) }];
  const state = mode === 'auto' ? 'ready' : 'draft';
  makeTasks(ws, [{ state, id, text: composed.value.text, notes }]);
}

function noteOf(ended: SessionEnded, sections: readonly Section[]): string {
  const { summary, files, corrections, duration_ms } = ended;
  const minutes =
    duration_ms === undefined ? 'unknown' : `${Math.round(duration_ms / 60_000)} minutes`;
  const listed = (lines: readonly string[]): string =>
    lines.map((line) => `- ${oneLine(line)}`).join('\n') || 'None.';
  const all: readonly Section[] = [
    { title: 'Summary', text: summary.trim() || 'None.' },
    { title: 'Files touched', text: listed(files) },
    { title: 'Corrections by the person', text: listed(corrections) },
    ...sections.filter(({ text }) => text !== ''),
  ];
  const parts = all.map(({ title, text }) => `## ${title}\n\n${text}\n`);
  return ['# Session\n', `Duration: ${minutes}\n`, ...parts].join('\n');
}
