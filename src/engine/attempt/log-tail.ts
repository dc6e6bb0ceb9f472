/**
 * The end of what an attempt printed: a few lines of its output.log, those of a client in words, without
 * control characters. undefined for a log that is missing, refused or empty.
 */
import { join, relative } from 'node:path';
import { LINE_MAX } from '../../process/log-tail.ts';
import { calledIn, type Speaker } from '../../workspace/tasks/read-attempts.ts';
import { logBytes } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { transcriptOf } from './readable-log.ts';
import type { Transcript } from './transcript.ts';

/** The size to which a runner lets a log grow, and a little more. */
export const LOG_BYTES_MAX = 65 * 1024 * 1024;
/** How much of a client's log is put into words: an event may be long. */
const EVENTS_BYTES_MAX = 512 * 1024;
const TAIL = { bytes: 1024, lines: 10 };
/** The message of an uncaught error is above its stack. */
export const CAUSE_TAIL = { bytes: 4096, lines: 40 };

export interface LastWords {
  /** Relative to the task's folder, which may be moved. */
  readonly file: string;
  readonly text: string;
}

/**
 * For an attempt that took over a dead one: what the dead attempt's agent printed. A client's events are
 * put into words only where its adapter is loaded (`loadReaders`).
 */
export function lastWords(ws: Workspace, task: string, attempt: Speaker, tail = TAIL) {
  const folder = calledIn(task, attempt);
  const path = join(folder, 'output.log');
  const bytes = logBytes(ws.disk, path, LOG_BYTES_MAX);
  if (bytes === undefined) return undefined;
  const words = transcriptOf(ws, folder, attempt.outcome?.adapter);
  const text = endOf(words === undefined ? bytes : eventLines(words, bytes), tail);
  return text === '' ? undefined : { file: relative(task, path), text };
}

/** Whole events alone: the first one may have been cut. */
function eventLines(words: Transcript, bytes: Uint8Array): Uint8Array {
  const end = new TextDecoder().decode(bytes.subarray(-EVENTS_BYTES_MAX));
  const cut = bytes.length > EVENTS_BYTES_MAX ? end.indexOf('\n') + 1 : 0;
  const lines = end.slice(cut).split(/\r?\n/);
  const shown = [...lines.flatMap((line) => words.take(line.slice(0, LINE_MAX))), ...words.end()];
  return new TextEncoder().encode(shown.join('\n'));
}

/** Cut at a line where there is one, else at a character. */
export function endOf(bytes: Uint8Array, tail = TAIL): string {
  const cut = bytes.length > tail.bytes;
  const text = new TextDecoder().decode(bytes.subarray(-tail.bytes)).replace(/^\uFFFD+/, '');
  const plain = text
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001B\[[0-?]*[ -/]*[@-~]/g, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (char) =>
      char === '\n' || char === '\t' ? char : '',
    );
  const whole =
    cut && plain.trimEnd().includes('\n') ? plain.slice(plain.indexOf('\n') + 1) : plain;
  return whole.trimEnd().split('\n').slice(-tail.lines).join('\n').replace(/^\n+/, '');
}

/** As a quotation, so that nothing in it can be a heading, a box or a fence. */
export function quoted(words: LastWords | undefined): string {
  if (words === undefined) return '';
  const lines = words.text.split('\n').map((line) => `> ${line}`);
  return `\n\nThe end of ${words.file}:\n\n${lines.join('\n')}`;
}
