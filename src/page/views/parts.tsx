/** Small parts that all views share: text of others, marks, times, links. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { FAILED, PASSED, STATE_MARKS, type Mark } from '../../task/core/model/marks.ts';
import { isState } from '../../task/core/model/state.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';

export interface Around {
  /** Address at which a task is shown; undefined where it is not on this page. */
  task(id: string): string | undefined;
  readonly now: Date;
  /** Characters of one text of others; what is behind them is in its file. */
  readonly longest: number;
  /** Without the columns of line numbers, to be small. */
  readonly compact?: boolean;
}

export const Here = createContext<Around>({
  task: () => undefined,
  now: new Date(0),
  longest: 32_768,
});

/** Text that others wrote: it cannot turn what stands beside it around, and hidden characters are shown. */
export function Said({ text }: { readonly text: string }) {
  if (/^[ -~]*$/.test(text)) return text;
  return <bdi>{escapeText(text)}</bdi>;
}

export function Lines({ text }: { readonly text: string }) {
  const { longest } = useContext(Here);
  const all = text.trim();
  // The end says why.
  const shown = all.length > longest ? `…${all.slice(-longest)}` : all;
  return <pre class="lines">{escapeText(shown, { multiline: true })}</pre>;
}

/** The sign is for eyes: the words beside it say the same. */
export function Sign({ mark }: { readonly mark: Mark }) {
  return (
    <span class={`sign c-${mark.colour}`} aria-hidden="true">
      {mark.sign}
    </span>
  );
}

/** States of tasks, and what is said of one that is not there. */
export function StateMark({ state }: { readonly state: string }) {
  const mark = isState(state) ? STATE_MARKS[state] : STATE_MARKS.aborted;
  return (
    <span class={`state c-${mark.colour}`}>
      <Sign mark={mark} /> {state.replaceAll('_', ' ')}
    </span>
  );
}

export function PassMark({ passed }: { readonly passed: boolean }) {
  const mark = passed ? PASSED : FAILED;
  return (
    <span class={`c-${mark.colour}`}>
      <Sign mark={mark} /> {passed ? 'passed' : 'failed'}
    </span>
  );
}

export function TaskLink({
  id,
  title = '',
}: {
  readonly id: string;
  readonly title?: string | undefined;
}) {
  const href = useContext(Here).task(id);
  const words = <Said text={title || id} />;
  return href === undefined ? <span>{words}</span> : <a href={href}>{words}</a>;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** How long ago, in one unit; the whole time for a reader who asks. */
export function Age({ at }: { readonly at: string }) {
  const { now, compact } = useContext(Here);
  const ms = now.getTime() - Date.parse(at);
  const [unit, each] = UNITS.find(([, least]) => ms >= least) ?? ['', 1];
  const words = unit === '' ? 'now' : `${Math.floor(ms / each)}${unit}`;
  const whole = compact ? `${at.slice(0, 16)}Z` : at;
  return (
    <time dateTime={whole} title={compact ? undefined : at}>
      {words}
    </time>
  );
}

/** A command to type, which a click selects whole. */
export function Command({ text }: { readonly text: string }) {
  return text === '' ? null : <code class="command">{escapeText(text)}</code>;
}

export function Facts({ rows }: { readonly rows: readonly [string, ComponentChildren][] }) {
  const shown = rows.filter(([, value]) => value !== '' && value !== undefined && value !== null);
  if (shown.length === 0) return null;
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Content that may be wider than the screen: it scrolls by itself, by keys too. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface TableProps {
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly (string | number)[])[];
}

export function Table({ label, head, rows }: TableProps) {
  return (
    <Scroll label={label}>
      <table class="figures">
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = '', ...cells]) => (
            <tr>
              <th scope="row">
                <Said text={String(first)} />
              </th>
              {cells.map((cell) => (
                <td>
                  <Said text={String(cell)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export function TaskLinks({ tasks }: { readonly tasks: readonly { id: string; state: string }[] }) {
  return tasks.map(({ id, state }, i) => (
    <span key={id}>
      {i > 0 && ', '}
      <TaskLink id={id} /> ({state.replaceAll('_', ' ')})
    </span>
  ));
}
