/** All open questions as one form: each is asked once, whoever else asks it. */
import { useState } from 'preact/hooks';
import { many } from '../../task/core/base/plural.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { FormQuestion } from '../core/model.ts';
import { Markdown } from '../views/markdown.tsx';
import { Said, TaskLink } from '../views/parts.tsx';
import { act, ToldOf, type Came } from './acts.tsx';
import { useRead, type Known } from './store.ts';

const keyOf = ({ of, text }: FormQuestion): string => `${of[0]?.id} ${of[0]?.number} ${text}`;

export function QuestionsPage({ known, may }: { readonly known: Known; readonly may: boolean }) {
  const asking = known.tasks.filter(({ state }) => state === 'questions');
  const { value: form, failed } = useRead<readonly FormQuestion[]>(
    './read/questions',
    JSON.stringify(asking),
  );
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const [came, setCame] = useState<Came>();
  if (form === undefined) return <p>{failed === undefined ? 'Reading …' : escapeText(failed)}</p>;
  const titles = new Map(asking.map(({ id, title }) => [id, title]));
  const given = form.filter((one) => answers[keyOf(one)]?.trim());
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (given.length === 0) return setCame({ done: false, words: 'Answer at least one first.' });
    for (const one of given) {
      const [{ id, number, attempt } = { id: '', number: 0, attempt: 0 }] = one.of;
      const text = answers[keyOf(one)]?.trim() ?? '';
      const result = await act('answer', {
        id,
        question: number,
        text,
        seen: { state: 'questions', attempt },
      });
      if (!result.done) return setCame(result);
      setAnswers((before) => ({ ...before, [keyOf(one)]: '' }));
    }
    setCame({
      done: true,
      words: `Written: ${many(given.length, 'answer')}. The next run takes them up: contracts run`,
    });
  };
  return (
    <form class="part" onSubmit={(event) => void send(event)}>
      <h2>{form.length === 0 ? 'No question is open' : many(form.length, 'question')}</h2>
      {form.map((one) => (
        <Asked
          key={keyOf(one)}
          question={one}
          titles={titles}
          words={answers[keyOf(one)] ?? ''}
          may={may}
          write={(words) => setAnswers((before) => ({ ...before, [keyOf(one)]: words }))}
        />
      ))}
      {may && form.length > 0 && (
        <p class="buttons">
          <button type="submit">Send the answers</button>
        </p>
      )}
      <ToldOf came={came} />
    </form>
  );
}

interface AskedProps {
  readonly question: FormQuestion;
  /** Titles of tasks, by id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly words: string;
  readonly may: boolean;
  write(words: string): void;
}

function Asked({ question, titles, words, may, write }: AskedProps) {
  const { of, text, options = [] } = question;
  const quotes = [...new Set(of.flatMap(({ quote }) => quote ?? []))];
  const name = keyOf(question);
  return (
    <fieldset class="answer">
      <legend class="dim">
        {[...new Set(of.map(({ id }) => id))].map((id, at) => (
          <>
            {at > 0 && ', '}
            <TaskLink id={id} key={id} title={titles.get(id)} />
          </>
        ))}
      </legend>
      <Markdown text={text} />
      {quotes.map((quote) => (
        <blockquote key={quote}>
          <Said text={quote} />
        </blockquote>
      ))}
      {may &&
        options.map((one) => (
          <label key={one} class="option">
            <input type="radio" name={name} checked={words === one} onChange={() => write(one)} />{' '}
            {escapeText(one)}
          </label>
        ))}
      {may && (
        <textarea
          aria-label={`Answer to: ${escapeText(text.slice(0, 100))}`}
          placeholder={options.length > 0 ? 'Other words' : ''}
          rows={2}
          value={options.includes(words) ? '' : words}
          onInput={(event) => write(event.currentTarget.value)}
        />
      )}
    </fieldset>
  );
}
