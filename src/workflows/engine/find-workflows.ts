/** Workflows: Markdown files, nearest first; the nearest of a name counts. Reads. */
import { sourceOf, type Place } from '../../agents/core/places.ts';
import {
  foldersThere,
  namesIn,
  nearestIn,
  readDescribed,
  type Folder,
} from '../../agents/engine/catalog.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import { PLAN_NAME } from '../../plans/core/plan-document.ts';
import { parsePlan } from '../../plans/text/plan.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { inputsFrom, type Workflow } from '../core/workflow.ts';

const DESCRIPTION_CHARS_MAX = 500;
/** Nearest first. */
const PLACES: readonly Place[] = [
  { base: 'project', folder: '.contracts/workflows' },
  { base: 'config', folder: 'contracts/workflows' },
  { base: 'package', folder: 'templates/workflows' },
];

/** Sorted within each place. */
export function workflowNames(ws: Workspace): readonly string[] {
  const all = foldersThere(ws, PLACES).flatMap(({ path }) =>
    namesIn(ws, path).flatMap(({ kind, name }) =>
      kind === 'file' && PLAN_NAME.test(name) ? name : [],
    ),
  );
  return [...new Set(all)];
}

export function readWorkflow(ws: Workspace, name: string): Result<Workflow> {
  const folder = PLAN_NAME.test(name)
    ? nearestIn(foldersThere(ws, PLACES), (one) =>
        ws.disk.stat(`${one.path}/${name}.md`)?.kind === 'file' ? one : undefined,
      )
    : undefined;
  if (folder !== undefined) return readIn(ws, folder, name);
  const names = workflowNames(ws);
  return refused({
    code: 'missing_file',
    file: PLACES[0]!.folder,
    message: 'there is no such workflow',
    found: name,
    expected: names.join(', '),
    fix: didYouMean(name, names).trim() || 'See them: contracts plan workflows',
  });
}

function readIn(ws: Workspace, folder: Folder, name: string): Result<Workflow> {
  const file = `${folder.file}/${name}.md`;
  const read = readDescribed(ws, `${folder.path}/${name}.md`, file, true);
  if (!read.ok) return read;
  const { description = '', inputs: written, ...head } = read.value.head;
  const inputs = inputsFrom(written);
  if (inputs === undefined) {
    return refused({
      code: 'bad_value',
      file,
      message: 'inputs are not names with what each means',
      expected: 'name: what it means, or name: {about: what it means, default: a value}',
      fix: 'Correct inputs: in the front matter',
    });
  }
  // Without its front matter: the keys of a workflow are not those of a plan.
  const document = parsePlan(read.value.body, file);
  if (!document.ok) return document;
  return ok(
    {
      name,
      file,
      source: sourceOf(folder.place),
      description: String(description as string).slice(0, DESCRIPTION_CHARS_MAX),
      inputs,
      head,
      body: read.value.body,
      document: document.value,
    },
    document.warnings,
  );
}
