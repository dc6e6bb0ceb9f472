/** One task whole: what is wanted, what happened, what changed, what it waits for. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { KIND_WORDS, whoAt } from '../../task/core/attempts/counters.ts';
import { useWords } from '../../task/core/attempts/budget.ts';
import { OUTCOME_MARKS, STATE_MARKS } from '../../task/core/model/marks.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { many } from '../../task/core/base/plural.ts';
import type { AttemptStory, Story, TaskView } from '../core/model.ts';
import { Markdown } from './markdown.tsx';
import { Patch, type PatchProps } from './patch.tsx';
import { seconds } from '../core/timeline.ts';
import {
  Age,
  Command,
  Facts,
  Here,
  Lines,
  PassMark,
  Said,
  Sign,
  StateMark,
  TaskLink,
  TaskLinks,
} from './parts.tsx';

/** State of a task, and what it waits for. */
export function Waits({ story }: { readonly story: Story }) {
  return (
    <p class="waits">
      <StateMark state={story.state} />
      <span>
        <Said text={story.reason} />
      </span>
      {story.waits_for !== 'nobody' && <Command text={story.fix} />}
    </p>
  );
}

export function Wanted({ story }: { readonly story: Story }) {
  return (
    <>
      {story.objective !== '' && story.objective !== story.title && (
        <Markdown text={story.objective} />
      )}
      {story.criteria.length > 0 && (
        <ul class="criteria">
          {story.criteria.map((text) => (
            <li>
              <Markdown text={text} inline />
            </li>
          ))}
        </ul>
      )}
      <Facts rows={factsOf(story)} />
    </>
  );
}

const said = (text: string | undefined): ComponentChildren =>
  text === undefined || text === '' ? '' : <Said text={text} />;

function factsOf(story: Story): [string, ComponentChildren][] {
  const links = (tasks: Story['children']): ComponentChildren =>
    tasks.length === 0 ? '' : <TaskLinks tasks={tasks} />;
  const tries = story.calls === 0 ? '' : `${story.calls}, reviews ${story.reviews}`;
  return [
    ['agent', said(story.adapter === '' ? story.agent : `${story.agent} (${story.adapter})`)],
    ['checks', said(story.checks.join(', '))],
    ['gates', said(story.gates.join(', '))],
    ['depends on', links(story.depends_on)],
    ['needed by', links(story.dependents)],
    ['made for', story.parent === undefined ? '' : <TaskLink id={story.parent} />],
    ['children', links(story.children)],
    ['workflow', said(story.workflow)],
    ['priority', story.priority === 'medium' ? '' : story.priority],
    ['tags', said(story.tags.join(', '))],
    ['created', <Age at={story.created} />],
    ['ended', story.ended === undefined ? '' : <Age at={story.ended} />],
    ['tries', tries],
    ['used', said(useWords({ ...story, model: undefined }))],
    ['receipts', said(story.signed)],
    ['folder', <code>{escapeText(story.folder)}</code>],
  ];
}

export function Attempts({ attempts }: { readonly attempts: readonly AttemptStory[] }) {
  if (attempts.length === 0) return <p>It was not tried yet.</p>;
  return (
    <ol class="attempts">
      {attempts.map((one) => (
        <li key={one.number}>
          <Attempt attempt={one} />
        </li>
      ))}
    </ol>
  );
}

function Attempt({ attempt }: { readonly attempt: AttemptStory }) {
  const { outcome, kind, nth, agent, lost, reason } = attempt;
  const mark = outcome === undefined ? STATE_MARKS.in_progress : OUTCOME_MARKS[outcome];
  // Its gate was not asked where a check failed before.
  const isUnasked = agent === '' || outcome === 'unverified';
  const used = useWords(attempt);
  return (
    <>
      <p class="attempt">
        <Sign mark={mark} /> {KIND_WORDS[kind]} {nth}
        {!isUnasked && (
          <>
            {' by '}
            <Said text={whoAt(agent, attempt.machine)} />
          </>
        )}
        {': '}
        <strong class={`c-${mark.colour}`}>
          {(outcome ?? (lost ? 'lost' : 'open')).replaceAll('_', ' ')}
        </strong>
        {reason !== '' && (
          <>
            {', '}
            <Said text={reason} />
          </>
        )}
        {attempt.seconds !== undefined && <span class="dim"> · {seconds(attempt.seconds)}</span>}
        {used !== '' && (
          <span class="dim">
            {' · '}
            <Said text={used} />
          </span>
        )}
      </p>
      <Told attempt={attempt} />
    </>
  );
}

/** Output of a check: at once where it failed, folded where it passed, and then not in a report. */
function Printed({ receipt: { passed, output } }: { receipt: AttemptStory['receipts'][number] }) {
  const { compact } = useContext(Here);
  if (output.trim() === '' || (passed && compact)) return null;
  if (!passed) return <Lines text={output} />;
  return (
    <details>
      <summary>output</summary>
      <Lines text={output} />
    </details>
  );
}

/** Questions, checks, remarks and findings of it. */
function Told({ attempt }: { readonly attempt: AttemptStory }) {
  return (
    <>
      {attempt.questions.map(({ question, answer }) => (
        <div class="asked">
          <Markdown text={question} />
          {answer === '' ? (
            <p class="dim">not answered yet</p>
          ) : (
            <blockquote>
              <Markdown text={answer} />
            </blockquote>
          )}
        </div>
      ))}
      {attempt.receipts.length > 0 && (
        <ul class="receipts">
          {attempt.receipts.map((one) => (
            <li>
              <PassMark passed={one.passed} /> <code>{escapeText(one.check)}</code>
              {one.reason !== 'passed' && (
                <>
                  {' '}
                  <Said text={one.reason} />
                </>
              )}
              <Printed receipt={one} />
            </li>
          ))}
        </ul>
      )}
      {[...attempt.violations, ...attempt.denied.map((one) => `denied ${one}`)].map((one) => (
        <p class="c-red">
          <Said text={one} />
        </p>
      ))}
      {attempt.noticed.map((one) => (
        <p class="c-yellow">
          noticed: <Said text={one} />
        </p>
      ))}
      {attempt.last_words !== undefined && <Lines text={attempt.last_words.text} />}
      {attempt.findings !== '' && <Markdown text={attempt.findings} file="review.md" />}
    </>
  );
}

export function Changes({ view, ...how }: { readonly view: TaskView } & Omit<PatchProps, 'patch'>) {
  const { story, patch, cut } = view;
  return (
    <>
      <ChangedFiles story={story} />
      <Patch patch={patch} {...how} />
      {cut > 0 && (
        <p class="note">
          {many(cut, 'line')} more: <Command text={`contracts show ${story.id}`} />
        </p>
      )}
    </>
  );
}

/** As many as `show` names at a terminal, where the page is to be small. */
const FILES_MAX = 20;

function ChangedFiles({ story }: { readonly story: Story }) {
  const { files, files_note } = story;
  const shown = useContext(Here).compact ? files.slice(0, FILES_MAX) : files;
  return (
    <>
      {files.length > 0 && (
        <ul class="files">
          {shown.map(({ path, added, removed }) => (
            <li key={path}>
              <code>{escapeText(path)}</code>
              {added !== null && removed !== null && (
                <>
                  {' '}
                  <span class="c-green">+{added}</span> <span class="c-red">−{removed}</span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {shown.length < files.length && (
        <p class="note">{many(files.length - shown.length, 'file')} more</p>
      )}
      {files_note !== '' && (
        <p class="note">
          <Said text={files_note} />
        </p>
      )}
    </>
  );
}

export function Notes({ story }: { readonly story: Story }) {
  return (
    <>
      {story.differ.map((text) => (
        <p class="c-yellow">
          <Said text={text} />
        </p>
      ))}
      {story.notes.map(({ name, text }) => (
        <div class="asked" key={name}>
          <p class="dim">
            Note <Said text={name} />
          </p>
          <Markdown text={text} />
        </div>
      ))}
      {story.resolutions.map((text) => (
        <div class="asked">
          <p class="dim">Resolution</p>
          <Markdown text={text} />
        </div>
      ))}
      {story.problems.map((one) => (
        <p class={one.severity === 'error' ? 'c-red' : 'c-yellow'}>
          <Said text={`${one.file}: ${one.message}. ${one.fix}`} />
        </p>
      ))}
    </>
  );
}
