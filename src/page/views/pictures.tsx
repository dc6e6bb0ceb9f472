/** The graph of dependencies and the timeline, drawn as SVG; each has its facts as words beside it. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { OUTCOME_MARKS, STATE_MARKS } from '../../task/core/model/marks.ts';
import { isState } from '../../task/core/model/state.ts';
import type { TaskGraph } from '../../task/core/base/dependency-graph.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { many } from '../../task/core/base/plural.ts';
import { NODE, placed } from '../core/graph-layout.ts';
import { timelineOf } from '../core/timeline.ts';
import type { Story } from '../core/model.ts';
import { Here, Scroll } from './parts.tsx';

/** Characters that fit into a node. */
const NODE_TEXT_MAX = 26;

const short = (text: string): string =>
  text.length > NODE_TEXT_MAX ? `${text.slice(0, NODE_TEXT_MAX - 1)}…` : text;

/** In a picture: what leads nowhere is only a group. */
function Linked({ href, children }: { href: string | undefined; children: ComponentChildren }) {
  return href === undefined ? <g>{children}</g> : <a href={href}>{children}</a>;
}

export function Graph({ graph }: { readonly graph: TaskGraph }) {
  const { task } = useContext(Here);
  if (graph.nodes.length === 0) return <p>No task waits for another.</p>;
  const { nodes, edges, width, height, more } = placed(graph);
  const label = `${many(nodes.length, 'task')}; an arrow leads to the task that waits`;
  return (
    <figure>
      <Scroll label="Graph of dependencies">
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          aria-label={label}
          role="group"
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" class="arrow" />
            </marker>
          </defs>
          {edges.map(({ path, on_cycle }) => (
            <path d={path} class={on_cycle ? 'edge cycle' : 'edge'} marker-end="url(#arrow)" />
          ))}
          {nodes.map(({ node, x, y }) => {
            const mark = isState(node.state) ? STATE_MARKS[node.state] : STATE_MARKS.aborted;
            const state = node.state.replaceAll('_', ' ');
            const title = escapeText(node.title === '' ? node.id : node.title);
            return (
              <Linked href={task(node.id)} key={node.id}>
                <title>{`${title} (${state})`}</title>
                <rect
                  x={x}
                  y={y}
                  width={NODE.width}
                  height={NODE.height}
                  rx="6"
                  class={`node b-${mark.colour}`}
                />
                <text x={x + 10} y={y + 19}>
                  {short(title)}
                </text>
                <text x={x + 10} y={y + 35} class={`small c-${mark.colour}`}>
                  {mark.sign} {state}
                </text>
              </Linked>
            );
          })}
        </svg>
      </Scroll>
      {more > 0 && <p class="note">{many(more, 'task')} more: contracts list --graph</p>}
      {graph.cycles.map((path) => (
        <p class="c-red">These wait for each other: {escapeText(path.join(' → '))}</p>
      ))}
    </figure>
  );
}

const ROW = 24;
const NAMES = 190;
const WIDTH = NAMES + 720;
const AXIS = 20;

export function Timeline({ stories }: { readonly stories: readonly Story[] }) {
  const { now, task } = useContext(Here);
  const { rows, ticks, more } = timelineOf(stories, now);
  if (rows.length === 0) return <p>No attempt yet.</p>;
  const height = AXIS + rows.length * ROW;
  const x = (at: number): number => Math.round(NAMES + (at * (WIDTH - NAMES - 8)) / 1000);
  return (
    <figure>
      <Scroll label="Timeline of attempts">
        <svg
          width={WIDTH}
          height={height}
          viewBox={`0 0 ${WIDTH} ${height}`}
          role="group"
          aria-label={`Attempts of ${many(rows.length, 'task')}`}
        >
          {ticks.map(({ at, time }, i) => (
            <g key={time + String(i)}>
              <path d={`M${x(at)} ${AXIS - 4}V${height}`} class="tick" />
              <text
                x={x(at)}
                y={12}
                class="small"
                text-anchor={i === 0 ? 'start' : i === ticks.length - 1 ? 'end' : 'middle'}
              >
                {time.slice(5, 16).replace('T', ' ')}
              </text>
            </g>
          ))}
          {rows.map(({ story, bars }, row) => (
            <Linked href={task(story.id)} key={story.id}>
              <title>
                {`${escapeText(story.id)}: ${bars.map(({ attempt }) => `${attempt.kind} ${attempt.nth} ${(attempt.outcome ?? 'open').replaceAll('_', ' ')}`).join(', ')}`}
              </title>
              <text x={4} y={AXIS + row * ROW + 16}>
                {short(escapeText(story.id))}
              </text>
              {bars.map(({ attempt, from, length }) => {
                const mark =
                  attempt.outcome === undefined
                    ? STATE_MARKS.in_progress
                    : OUTCOME_MARKS[attempt.outcome];
                const wide = Math.max(2, x(from + length) - x(from));
                return (
                  <rect
                    x={x(from)}
                    y={AXIS + row * ROW + 5}
                    width={wide}
                    height={ROW - 10}
                    rx="3"
                    class={`bar f-${mark.colour}${attempt.kind === 'review' ? ' review' : ''}`}
                  />
                );
              })}
            </Linked>
          ))}
        </svg>
      </Scroll>
      <p class="note">
        Times are UTC. Work is a full bar, a review a lighter one; green: complete or approved, red:
        failed, yellow: sent back, blue: at work.
        {more > 0 && ` ${many(more, 'task')} more are not drawn.`}
      </p>
    </figure>
  );
}
