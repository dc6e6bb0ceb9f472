/** report: what tasks are, did and cost, as one file that asks for nothing. */
import { relative, resolve } from 'node:path';
import { many } from '../../task/core/base/plural.ts';
import { put } from '../../task/store/disk/put.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { dataOf } from '../../cli/output/output.ts';
import { refuseUse, verb, type Verb } from '../../cli/terminal/verb-context.ts';
import { sinceOf } from '../../cli/terminal/since.ts';
import { planNames } from '../../plans/engine/start/find-plans.ts';
import type { lines } from '../core/page-lines.ts';

const pageData = dataOf<typeof lines>();

const FILE = 'contracts-report.html';
const STDOUT = '-';

interface Flags {
  readonly plan?: string;
  readonly since?: string;
  readonly output?: string;
  readonly markdown?: boolean;
}

export const runs = {
  report: verb(async (verb, { plan, since, output, markdown = false }: Flags) => {
    const { ws, out, frame } = verb;
    const since_ms = since === undefined ? -Infinity : sinceOf(verb, since, ws.machine.now());
    const words = [plan && `plan ${plan}`, since && `since ${since}`];
    const about = words.filter((one) => one !== undefined).join(', ');
    if (plan !== undefined && !planNames(ws).includes(plan))
      refuseUse(verb, 'there is no such plan', 'See contracts plan list', plan);
    const to = markdown ? 'markdown' : 'html';
    const { reported } = await import('./render.ts');
    const { text, tasks, problems } = await reported(ws, { plan, since_ms, about }, to);
    for (const one of problems) out.problem(one);
    const name = output ?? (markdown ? STDOUT : FILE);
    if (name === STDOUT) {
      pageData(out, { v: 1, event: 'reported', to, tasks, text });
      if (!out.json) frame.streams.out(text);
      return;
    }
    const file = written(verb, name, text);
    pageData(out, { v: 1, event: 'reported', to, tasks, file });
    const size = `${many(tasks, 'task')}, ${Math.ceil(Buffer.byteLength(text) / 1000)} KB`;
    const open = markdown ? '' : ' It opens in any browser and loads nothing.';
    out.print(`Wrote ${escapeText(file)} (${size}).${open}`);
  }),
};

/** Returns its path from the current folder. */
function written(verb: Verb, name: string, text: string): string {
  const path = resolve(verb.line.dir ?? '.', name);
  try {
    put(verb.ws.putting, path, Buffer.from(text), { durable: false });
  } catch (error) {
    const why = errorCode(error) ?? 'an error';
    refuseUse(verb, `the file cannot be written (${why})`, 'Name another: -o FILE', name);
  }
  return relative(process.cwd(), path) || path;
}
