/** list: tasks by the names of their folders; list-lines.ts, which reads each task, is loaded when it is needed. */
import { didYouMean, nearestId } from '../../task/core/base/nearest.ts';
import { isState, STATES } from '../../task/core/model/state.ts';
import { listNames } from '../../engine/queries/count-by-state.ts';
import { isNarrowed, type ListFlags } from '../output/list-flags.ts';
import { GRAPH_FORMS } from '../terminal/command-shape.ts';
import { misused, refuse, verb, type Verb } from '../terminal/verb-context.ts';

/** `me` is a person. */
const WAITS = ['me', 'person', 'agent', 'host', 'task', 'slot', 'step', 'nobody'] as const;

export const runs = {
  list: verb(
    (verb, flags: ListFlags, words: readonly string[]) => doList(verb, flags, words.join(' ')),
    (place, flags: ListFlags, words: readonly string[]) => {
      const misuse =
        unknownWord('state', flags.state, STATES) ??
        unknownWord('waits-for', flags.waitsFor ?? [], WAITS) ??
        unknownWord(
          'graph',
          [flags.graph ?? true].filter((one) => one !== true),
          GRAPH_FORMS,
        ) ??
        wholeGraph(flags, words.join(' '));
      if (misuse !== undefined) refuse(place, [misuse]);
    },
  ),
};

function unknownWord(flag: string, given: readonly string[], known: readonly string[]) {
  const found = given.find((text) => !known.includes(text));
  if (found === undefined) return undefined;
  const what = flag === 'state' ? 'there is no state of this name; there are' : `--${flag} takes`;
  const one = nearestId(found, known) ?? known[flag === 'state' ? 1 : 0];
  const fix = `${didYouMean(found, known) || 'Name one: '}contracts list --${flag} ${one}`;
  return misused(`${what} ${known.join(', ')}`, fix, found);
}

/** The names of folders are enough. */
function isPlain(flags: ListFlags, words: string): boolean {
  const isDrawn = flags.board === true || flags.graph !== undefined;
  return !isDrawn && !isNarrowed({ ...flags, state: [] }, words);
}

function wholeGraph(flags: ListFlags, words: string) {
  const { graph, ids, board, all } = flags;
  if (graph === undefined) return undefined;
  if (!isNarrowed(flags, words) && (ids ?? board ?? all) === undefined) return undefined;
  return misused('--graph shows all live tasks that are linked', 'Type: contracts list --graph');
}

async function doList(verb: Verb, flags: ListFlags, words: string): Promise<void> {
  const { out } = verb;
  const wanted = flags.state.filter(isState);
  const states = flags.all === true ? STATES : wanted.length > 0 ? wanted : undefined;
  if (flags.ids === true && !out.json && isPlain(flags, words)) {
    const { ids, problems } = listNames(
      verb.ws,
      states === undefined ? undefined : new Set(states),
    );
    for (const problem of problems) out.problem(problem);
    for (const id of ids) out.print(id);
    return;
  }
  const { printTasks } = await import('./list-lines.ts');
  await printTasks(verb, flags, words, states);
}
