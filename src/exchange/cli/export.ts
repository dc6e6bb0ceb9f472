/** export: all tasks, or those of plans, as a board in Markdown, as JSON, or as rows of a spreadsheet. */
import { relative, resolve } from 'node:path';
import { STATES } from '../../task/core/model/state.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { inside } from '../../task/store/tasks/tasks.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { refuseUse, unwrap, verb } from '../../cli/terminal/verb-context.ts';
import { dataOf, jsonText } from '../../cli/output/output.ts';
import type { lines } from '../core/exchange-lines.ts';
import { boardText, rowsText, withBoard } from '../text/board-text.ts';

const FIX = 'Write --to markdown --into README.md';
const exchangeData = dataOf<typeof lines>();

interface Flags {
  readonly to: string;
  readonly plan: readonly string[];
  readonly into?: string;
}

export const runs = {
  export: verb((verb, { to, plan, into }: Flags) => {
    const { ws, out } = verb;
    const plans = plan.length === 0 ? undefined : plan;
    const { tasks } = listTasks(ws, { states: new Set(STATES), plans, sort: 'turn' });
    const fix = 'See contracts plan list';
    if (plans && tasks.length === 0)
      refuseUse(verb, 'no task is of this plan', fix, plan.join(', '));
    const texts: Readonly<Record<string, () => string>> = {
      markdown: () => boardText(tasks),
      json: () => jsonText(tasks, 2),
      csv: () => rowsText(tasks),
    };
    const text =
      texts[to]?.() ??
      refuseUse(verb, '--to takes markdown, json or csv', 'Write --to markdown', to);
    if (into === undefined) {
      exchangeData(out, { v: 1, event: 'exported', to, tasks: tasks.length, text });
      for (const line of text.split('\n')) out.print(escapeText(line));
      return;
    }
    const path = resolve(verb.line.dir ?? '.', into);
    const file = relative(ws.layout.root, path);
    const there = inside(ws.disk, ws.layout.root, file);
    const isOurs = /^(?:\.contracts|active_tasks)\//.test(file) || !file.endsWith('.md');
    const wrong =
      to !== 'markdown'
        ? 'only a board in Markdown goes into a file'
        : !there.ok
          ? there.why
          : isOurs
            ? 'this is no Markdown file of the project'
            : undefined;
    if (wrong !== undefined) refuseUse(verb, wrong, FIX, into);
    const old = unwrap(verb, readText(ws.disk, path, file));
    const now = withBoard(old, text);
    if (now === undefined)
      refuseUse(
        verb,
        'one of the two markers is missing, or they are the wrong way round',
        'Write both, or none',
        into,
      );
    putIfUnchanged(ws.putting, path, sha256(old), Buffer.from(now));
    exchangeData(out, { v: 1, event: 'exported', to, tasks: tasks.length, file });
    out.print(`wrote ${out.path(file)}`);
  }),
};
