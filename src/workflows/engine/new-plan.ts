/** `plan new --workflow`: a plan of the words of a workflow, with the values of its inputs. */
import { given } from '../../task/core/base/defined-fields.ts';
import { ok, refused } from '../../task/core/model/problem.ts';
import { dumpFrontMatter } from '../../task/text/yaml/front-matter.ts';
import { takeName } from '../../plans/engine/start/request-plan.ts';
import { writePlan } from '../../plans/engine/start/write-plan.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { valuesOf } from '../core/workflow.ts';
import { readWorkflow } from './find-workflows.ts';

export interface WantedWorkflow {
  readonly workflow: string;
  readonly request: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Name of the plan; made from the request where it is left out. */
  readonly name?: string | undefined;
  readonly squad?: string | undefined;
}

/** Returns its name, and plan.md relative to the workspace. */
export function planOfWorkflow(ws: Workspace, wanted: WantedWorkflow) {
  const read = readWorkflow(ws, wanted.workflow);
  if (!read.ok) return read;
  const { request, inputs } = wanted;
  const { values, problems } = valuesOf(read.value, { request, ...inputs });
  if (problems.length > 0) return refused(problems);
  const name = takeName(ws, wanted);
  if (!name.ok) return name;
  const { head: keys, body } = read.value;
  const { workflow, squad } = wanted;
  const head = dumpFrontMatter({ ...keys, workflow, inputs: values, ...given({ squad }) });
  const file = writePlan(ws, name.value, `${head}\n${body.trimStart()}`);
  return ok({ plan: name.value, file });
}
