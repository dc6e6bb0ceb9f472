/** plan workflows, and plan new --workflow: the path of the plan goes to stdout, the rest to stderr. */
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { factLines, groupLines } from '../../cli/output/catalog-text.ts';
import { dataOf } from '../../cli/output/output.ts';
import { planData } from '../../plans/cli/plan-argument.ts';
import { screenOf } from '../../cli/output/text-width.ts';
import { refuseUse, unwrapTyped, verb, type Verb } from '../../cli/terminal/verb-context.ts';
import type { lines } from '../core/workflow-lines.ts';
import { phasesOf, takeInputs, type Workflow } from '../core/workflow.ts';
import { readWorkflow, workflowNames } from '../engine/find-workflows.ts';
import { planOfWorkflow } from '../engine/new-plan.ts';

const workflowData = dataOf<typeof lines>();

const list = verb((verb, _flags: unknown, name?: string) => {
  const { ws, out, frame } = verb;
  const { limit } = screenOf(frame.streams);
  if (name !== undefined) {
    const found = unwrapTyped(verb, reads(verb, name));
    for (const line of workflowLines(found, limit)) out.print(line);
    return;
  }
  const rows = workflowNames(ws).flatMap((one) => {
    const read = reads(verb, one);
    if (!read.ok) for (const problem of read.problems) out.problem(problem);
    return read.ok ? read.value : [];
  });
  const cellsOf = (one: Workflow): string[] => [
    one.name,
    escapeText(one.description),
    phasesOf(one).join(' → '),
  ];
  const shapes = [{}, { least: 20, most: 60 }, { least: 16 }];
  for (const line of groupLines(rows, cellsOf, shapes, limit)) out.print(line);
});

function reads({ ws, out }: Verb, name: string) {
  const read = readWorkflow(ws, name);
  if (!read.ok) return read;
  const { document, head: _, body: _body, ...facts } = read.value;
  const more = { inputs: [...facts.inputs], phases: [...phasesOf(read.value)] };
  const { warnings: problems } = document;
  workflowData(out, { v: 1, event: 'workflow', ...facts, ...more, problems });
  if (!out.json) for (const problem of problems) out.problem(problem);
  return read;
}

function workflowLines(one: Workflow, limit: number): string[] {
  const inputs = one.inputs.map(({ name, about, preset }): [string, string] => {
    return ['input', `${name}: ${about}${preset === undefined ? '' : ` (else: ${preset})`}`];
  });
  const phases = phasesOf(one).join(' → ');
  return [
    ...factLines(one, [['file', one.file], ...inputs, ['phases', phases]], limit),
    '',
    ...one.document.items.map(({ title, executors }) =>
      escapeText(`  - ${title}${executors.length === 0 ? '' : ` (${executors.join(', ')})`}`),
    ),
    '',
    `Begin: contracts plan new --workflow ${one.name} "what you want"`,
  ];
}

interface Flags {
  readonly workflow: string;
  readonly squad?: readonly string[];
  readonly name?: string;
  readonly id?: string;
}

const make = verb((verb, { workflow, squad = [], name, id }: Flags, words: readonly string[]) => {
  const { ws, out, frame } = verb;
  const { inputs, request } = takeInputs(words);
  const none = `Say what you want: contracts plan new --workflow ${workflow} "…"`;
  if (request === '') refuseUse(verb, 'there is no request', none);
  if (id !== undefined || squad.length > 1) {
    const message = 'a plan of a workflow has no contract of its own, and one squad';
    refuseUse(verb, message, 'Leave out --id, and name one --squad');
  }
  const made = unwrapTyped(
    verb,
    planOfWorkflow(ws, { workflow, request, inputs, name, squad: squad[0] }),
  );
  planData(out, { v: 1, event: 'plan_written', ...made });
  out.print(out.path(made.file));
  if (out.json) return;
  frame.streams.err(`Next: read it, then contracts plan start ${made.plan}\n`);
});

export const runs = { 'plan workflows': list, 'plan new': make };
