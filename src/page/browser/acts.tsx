/** Buttons and forms by which a person acts on a task; each asks the server for the verb of its name. */
import { useState } from 'preact/hooks';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { ACTS, actsIn, NEW_FIELDS, type Act, type ActName, type Given } from '../core/acts.ts';
import type { ListedTask, TaskView } from '../core/model.ts';
import { Markdown } from '../views/markdown.tsx';
import { Said } from '../views/parts.tsx';
import { hrefOf } from './store.ts';

export interface Came {
  readonly done: boolean;
  readonly words: string;
  readonly id?: string;
}

const WRITTEN = new Set(['answer', 'approve', 'needs-work', 'reject', 'note', 'retry']);

/** Words that a person wrote are in a file, and a run reads it; a move is made. */
const didWords = (name: string, { text = '' }: Given): string =>
  WRITTEN.has(name) && (name !== 'retry' || text !== '')
    ? 'Written; the next run takes it up: contracts run'
    : 'Done.';

export async function act(name: ActName | 'new', given: Given): Promise<Came> {
  try {
    const response = await fetch(`./do/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(given),
    });
    const text = await response.text();
    if (!response.headers.get('content-type')?.startsWith('application/json'))
      return { done: false, words: text.trim() };
    const { message = '', fix = '', id } = JSON.parse(text) as Record<string, string>;
    const words = [message, fix].filter(Boolean).join('. ');
    return {
      done: response.ok,
      words: response.ok ? didWords(name, given) : words,
      ...(id && { id }),
    };
  } catch {
    // It may have been done before the connection broke.
    return {
      done: false,
      words: 'The server did not answer. Look at the task: it may have been done',
    };
  }
}

export const seenOf = ({ state, attempt }: Pick<ListedTask, 'state' | 'attempt'>) => ({
  state,
  attempt,
});

/** Result of the last act, read out when it comes. */
export function ToldOf({ came }: { readonly came: Came | undefined }) {
  return (
    <p role="status" class={came?.done === false ? 'c-red came' : 'c-green came'}>
      {came !== undefined && <Said text={came.words} />}
    </p>
  );
}

interface Props {
  readonly view: TaskView;
  /** Comments at lines, as they go into a verdict. */
  readonly comments: string;
  used(): void;
}

export function Acts({ view, comments, used }: Props) {
  const [came, setCame] = useState<Came>();
  const [text, setText] = useState('');
  const { story, asked, decision } = view;
  const seen = seenOf({ state: story.state, attempt: story.attempts.at(-1)?.number ?? 0 });
  const given = { id: story.id, seen };
  const doing = async (name: ActName, more: Given): Promise<void> => {
    const result = await act(name, { ...given, ...more });
    setCame(result);
    if (!result.done) return;
    setText('');
    used();
  };
  const names = actsIn(story.state).filter((name) => name !== 'answer');
  const asker = story.attempts.at(-1);
  const shared = (number: number, question: string, quote: string): string => {
    const { also = [] } = asker?.questions[number - 1] ?? {};
    const others = also.length > 0 && `The answer is also for ${also.join(', ')}.`;
    return [question, quote && `> ${quote}`, others].filter(Boolean).join('\n\n');
  };
  const whole = [text.trim(), comments].filter(Boolean).join('\n\n');
  return (
    <section class="part acts" aria-label="What you can do">
      {asked.map(({ number, text: question, quote = '', options = [] }) => (
        <Answer
          key={number}
          question={shared(number, question, quote)}
          options={options}
          send={(words) => doing('answer', { question: number, text: words })}
        />
      ))}
      {decision.length > 0 && (
        <p class="buttons">
          {decision.map(([word, meaning]) => (
            <button
              type="button"
              key={word}
              title={meaning}
              onClick={() => doing('answer', { text: word })}
            >
              {word}
            </button>
          ))}
        </p>
      )}
      {names.some((name) => 'text' in ACTS[name]) && (
        <textarea
          aria-label="Your words"
          placeholder="Your words"
          rows={3}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      {comments !== '' && <Markdown text={comments} />}
      <Buttons
        names={names}
        text={whole}
        doing={doing}
        short={(words) => setCame({ done: false, words })}
      />
      <ToldOf came={came} />
    </section>
  );
}

interface ButtonsProps {
  readonly names: readonly ActName[];
  readonly text: string;
  doing(name: ActName, given: Given): Promise<void>;
  short(words: string): void;
}

function Buttons({ names, text, doing, short }: ButtonsProps) {
  const press = (name: ActName): void => {
    const one: Act = ACTS[name];
    if (one.text === 'must' && text === '') short(`Write your words first, then ${one.label}.`);
    else if (name === 'abort' && !confirm('Abort it? A running agent is stopped.')) return;
    else void doing(name, one.text === undefined ? {} : { text });
  };
  return (
    <p class="buttons">
      {names.map((name) => (
        <button type="button" key={name} onClick={() => press(name)}>
          {ACTS[name].label}
        </button>
      ))}
    </p>
  );
}

interface Asked {
  readonly question: string;
  readonly options: readonly string[];
  send(words: string): Promise<void>;
}

function Answer({ question, options, send }: Asked) {
  const [words, setWords] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    if (words.trim() !== '') void send(words.trim());
  };
  return (
    <form class="answer" onSubmit={submit}>
      <Markdown text={question} />
      {options.length > 0 && (
        <p class="buttons">
          {options.map((one) => (
            <button type="button" key={one} onClick={() => void send(one)}>
              {one}
            </button>
          ))}
        </p>
      )}
      <textarea
        aria-label={`Answer to: ${escapeText(question.slice(0, 100))}`}
        rows={2}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <button type="submit">Answer</button>
    </form>
  );
}

/** Writes a draft, then shows it: nothing works on it before it is confirmed. */
export function NewPage() {
  const [came, setCame] = useState<Came>();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = String(form.get('title') ?? '').trim();
    const flags = Object.fromEntries(
      NEW_FIELDS.map(([name]) => [name, String(form.get(name) ?? '')]),
    );
    const result = await act('new', { text, flags });
    setCame(result);
    if (result.done && result.id !== undefined) location.hash = hrefOf('task', result.id);
  };
  return (
    <form class="part new" onSubmit={(event) => void submit(event)}>
      <h2>New contract</h2>
      <label>
        What you want, in one line
        <input name="title" required maxLength={200} />
      </label>
      {NEW_FIELDS.map(([name, label, about]) => (
        <label key={name}>
          {label}
          <input name={name} placeholder={about} />
        </label>
      ))}
      <p>
        <button type="submit">Write it</button>
      </p>
      <ToldOf came={came} />
    </form>
  );
}
