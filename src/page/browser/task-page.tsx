/** One task: what it waits for, its contract, what happened and changed, and its log as it grows. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { TaskView } from '../core/model.ts';
import { Markdown } from '../views/markdown.tsx';
import { Said } from '../views/parts.tsx';
import { Attempts, Changes, Notes, Waits, Wanted } from '../views/task.tsx';
import type { PatchRow } from '../text/patch.ts';
import { Acts } from './acts.tsx';
import { useRead, type Known } from './store.ts';

/** By file and line, newest last. */
type Comments = Readonly<Record<string, string>>;

export function TaskPage({ id, known, may }: { id: string; known: Known; may: boolean }) {
  const listed = known.tasks.find((task) => task.id === id);
  const mark = JSON.stringify(listed ?? '');
  const { value: view, failed } = useRead<TaskView>(`./read/task/${encodeURIComponent(id)}`, mark);
  const [split, setSplit] = useState(false);
  const [comments, setComments] = useState<Comments>({});
  if (view === undefined)
    return <p>{failed === undefined ? 'Reading …' : `There is no task ${escapeText(id)}.`}</p>;
  const { story, files, patch } = view;
  const hasChanged = patch !== '' || story.files.length > 0 || story.files_note !== '';
  const commented = may && story.state === 'review' ? commenting(comments, setComments) : {};
  return (
    <article class="one">
      <h2>
        <Said text={story.title === '' ? story.id : story.title} />
      </h2>
      <section class="part">
        <Waits story={story} />
        <Wanted story={story} />
      </section>
      {may && (
        <Acts
          view={view}
          comments={findingsOf(comments)}
          used={() => setComments({})}
          key={`${id} ${story.state}`}
        />
      )}
      <section class="part">
        <h3>What happened</h3>
        <Attempts attempts={story.attempts} />
        <Notes story={story} />
      </section>
      {hasChanged && (
        <section class="part">
          <h3>What changed</h3>
          {patch !== '' && (
            <label>
              <input
                type="checkbox"
                checked={split}
                onChange={(event) => setSplit(event.currentTarget.checked)}
              />{' '}
              side by side
            </label>
          )}
          <Changes view={view} split={split} {...commented} />
        </section>
      )}
      <Log id={id} key={id} />
      {Object.entries(files).map(([name, text]) => (
        <details class="part" key={name}>
          <summary>{name}</summary>
          <Markdown text={bodyOf(text)} file={name} />
        </details>
      ))}
    </article>
  );
}

/** As `review.md` has comments: the next attempt gets each with its line. */
const findingsOf = (comments: Comments): string =>
  Object.entries(comments)
    .filter(([, text]) => text.trim() !== '')
    .map(([at, text]) => `${at}: ${text.trim().replace(/\s+/g, ' ')}`)
    .join('\n');

/** Press the number of a line, and a box opens below it. */
function commenting(comments: Comments, change: (comments: Comments) => void) {
  const placeOf = (path: string, { is }: PatchRow): string => `${path}:${is}`;
  return {
    onLine: (path: string, row: PatchRow) => change({ [placeOf(path, row)]: '', ...comments }),
    below: (path: string, row: PatchRow) => {
      const at = placeOf(path, row);
      return at in comments && <Comment at={at} comments={comments} change={change} />;
    },
  };
}

interface CommentProps {
  readonly at: string;
  readonly comments: Comments;
  change(comments: Comments): void;
}

function Comment({ at, comments, change }: CommentProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <textarea
      class="comment"
      ref={box}
      placeholder="Goes with your verdict"
      aria-label={`Comment at ${escapeText(at)}`}
      rows={2}
      value={comments[at]}
      onInput={(event) => change({ ...comments, [at]: event.currentTarget.value })}
    />
  );
}

/** Front matter is data: a block of its own. */
function bodyOf(text: string): string {
  return text.replace(
    /^---\r?\n([^]*?)\r?\n---\r?\n/,
    (_, head: string) => `\`\`\`yaml\n${head}\n\`\`\`\n`,
  );
}

const LINES_MAX = 5000;

/** Read only while it is open. */
function Log({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false);
  const [lines, setLines] = useState<readonly string[]>([]);
  const end = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    setLines([]);
    const events = new EventSource(`./events/log/${encodeURIComponent(id)}`);
    events.addEventListener('lines', ({ data }) =>
      setLines((before) => [...before, ...(JSON.parse(data) as string[])].slice(-LINES_MAX)),
    );
    events.addEventListener('end', () => events.close());
    return () => events.close();
  }, [open, id]);
  useEffect(() => end.current?.scrollTo(0, end.current.scrollHeight), [lines]);
  return (
    <details class="part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Log</summary>
      <pre class="lines log" ref={end} tabIndex={0} role="log" aria-label="Log">
        {lines.length === 0
          ? 'Nothing is printed yet.'
          : lines.map((line) => `${escapeText(line)}\n`)}
      </pre>
    </details>
  );
}
