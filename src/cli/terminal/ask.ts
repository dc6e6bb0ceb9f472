/**
 * Questions to the person at the terminal. There is an asker only where somebody can answer: stdin and stdout
 * are terminals, no CI, no --json, no dumb terminal. All text is escaped here.
 */
import { setTimeout } from 'node:timers/promises';
import type * as Prompts from '@clack/prompts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Frame } from './frame.ts';

/** The person pressed Ctrl-C or Esc in a question; the exit code is 130 then. */
export class Cancelled extends Error {
  readonly by: 'escape' | 'interrupt';
  /** `words`: what was done and what is left. */
  constructor(by: 'escape' | 'interrupt', words = 'the command was not completed') {
    super(`Cancelled; ${words}.`);
    this.name = 'Cancelled';
    this.by = by;
  }
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
}

export interface TextOptions {
  /** Shown while the line is empty; never taken as the answer. */
  readonly example?: string;
  /** Shown while the line is empty, and the answer then. */
  readonly preset?: string | undefined;
  /** An empty line is an answer too. */
  readonly optional?: boolean;
}

/** Kinds of questions; each throws Cancelled. */
const ASKER = { text, choose, several, yes, dropTyped };
export type Asker = Readonly<typeof ASKER>;

/** undefined where nobody can be asked. */
export function asker({ streams }: Frame, json: boolean): Asker | undefined {
  const { CI, TERM } = process.env;
  const ci = CI !== undefined && !['', '0', 'false'].includes(CI);
  if (json || ci || TERM === 'dumb' || streams.isTTY !== true) return undefined;
  return process.stdin.isTTY === true ? ASKER : undefined;
}

/** Leaves no choice in the last lines of a cancelled question as if it were taken. */
async function answered<T>(
  ask: (prompts: typeof Prompts) => Promise<T>,
  options: readonly { label: string }[] = [],
) {
  const prompts = await import('@clack/prompts');
  const { stdin } = process;
  let by: Cancelled['by'] = 'interrupt';
  const forget = (_: unknown, key?: { readonly name?: string; readonly ctrl?: boolean }): void => {
    by = key?.name === 'escape' ? 'escape' : 'interrupt';
    if (key?.name === 'escape' || (key?.name === 'c' && key.ctrl === true))
      for (const one of options) one.label = '';
  };
  stdin.on('keypress', forget);
  const answer = await ask(prompts).finally(() => stdin.off('keypress', forget));
  if (prompts.isCancel(answer)) throw new Cancelled(by);
  return answer as Exclude<T, symbol>;
}

/** One line, trimmed. */
async function text(shown: string, { example, preset, optional }: TextOptions = {}) {
  const words = await answered((prompts) =>
    prompts.text({
      message: escapeText(shown),
      ...(example === undefined ? {} : { placeholder: escapeText(example) }),
      ...(preset === undefined ? {} : { placeholder: escapeText(preset), defaultValue: preset }),
      validate: (value) =>
        optional === true || preset !== undefined || (value ?? '').trim() !== ''
          ? undefined
          : 'Enter some text.',
    }),
  );
  return (words ?? '').trim();
}

/** A label such as `d: diff` is also chosen by its letter. */
async function choose<T extends string>(shown: string, choices: readonly Choice<T>[]): Promise<T> {
  const { stdin } = process;
  const options = shownAs(choices);
  const take = (letter: string | undefined): void => {
    const found = options.find(({ label }) => label.startsWith(`${letter}: `));
    if (found === undefined) return;
    // It is the only one left, and taken as by Enter, once this key has been heard by all.
    options.splice(0, options.length, found);
    setImmediate(() => ['down', 'return'].forEach((name) => stdin.emit('keypress', '', { name })));
  };
  stdin.on('keypress', take);
  try {
    const asked = { message: escapeText(shown), options };
    return (await answered(({ select }) => select<string>(asked), options)) as T;
  } finally {
    stdin.off('keypress', take);
  }
}

async function several<T extends string>(
  shown: string,
  choices: readonly Choice<T>[],
  ticked: readonly T[] = [],
): Promise<readonly T[]> {
  const start = { initialValues: [...ticked], required: false };
  const options = shownAs(choices);
  const asked = { message: escapeText(shown), options, ...start };
  return (await answered(({ multiselect }) => multiselect<string>(asked), options)) as T[];
}

async function yes(shown: string, initialValue = true): Promise<boolean> {
  try {
    return await answered(({ confirm }) => confirm({ message: escapeText(shown), initialValue }));
  } catch (error) {
    // The line above the last one has the answer that was proposed.
    if (error instanceof Cancelled) process.stdout.write('\u001b[2A\u001b[2K\u001b[2B');
    throw error;
  }
}

/** Drops keys pressed before the person could see what is next. A terminal hands them over after a moment. */
async function dropTyped(): Promise<void> {
  const { stdin } = process;
  const drop = (): void => undefined;
  stdin.setRawMode(true);
  stdin.on('data', drop).resume();
  await setTimeout(60);
  stdin.off('data', drop).pause();
  stdin.setRawMode(false);
}

function shownAs(choices: readonly Choice<string>[]) {
  return choices.map(({ value, label }) => ({ value, label: escapeText(label) }));
}
