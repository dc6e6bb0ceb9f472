/** A workflow is a plan with inputs: what each means, and a text for one that may be left out. Pure. */
import { didYouMean } from '../../task/core/base/nearest.ts';
import { isFields } from '../../task/core/base/json.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import type { DataOf } from '../../task/core/lines/line-types.ts';
import type { PlanDocument } from '../../plans/core/plan-document.ts';
import type { lines } from './workflow-lines.ts';

type Listed = DataOf<typeof lines, 'workflow'>;
export type Input = Listed['inputs'][number];

export interface Workflow extends Omit<Listed, 'phases' | 'problems'> {
  /** The keys of its front matter that its plans have too. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly document: PlanDocument;
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** `name: what it means`, or `name: {about: …, default: …}`; undefined: it is neither. */
export function inputsFrom(found: unknown): readonly Input[] | undefined {
  if (found === undefined || found === null) return [];
  if (!isFields(found) || !Object.keys(found).every((name) => NAME.test(name))) return undefined;
  const inputs = Object.entries(found).map(([name, value]): Input | undefined => {
    const { about, default: preset, ...others } = isFields(value) ? value : { about: value };
    const isOdd = Object.keys(others).length > 0 || [about, preset].some(isFields);
    const texts = { name, about: String(about ?? '') };
    const known = preset === undefined ? texts : { ...texts, preset: String(preset) };
    return isOdd ? undefined : known;
  });
  return inputs.every((one) => one !== undefined) ? inputs : undefined;
}

/** `key=value`; any other word belongs to the request. */
export function takeInputs(words: readonly string[]) {
  const inputs: Record<string, string> = {};
  const request: string[] = [];
  for (const word of words) {
    const [, name, value = ''] = /^([a-z][a-z0-9_]{0,39})=(.*)$/s.exec(word) ?? [];
    if (name === undefined) request.push(word);
    else inputs[name] = value;
  }
  return { inputs, request: request.join(' ').trim() };
}

/** The value of each input, or what is wrong with those that were given. */
export function valuesOf(
  { name, file, inputs }: Workflow,
  values: Readonly<Record<string, string>>,
) {
  const known = ['request', ...inputs.map((one) => one.name)];
  const unknown = Object.keys(values).filter((one) => !known.includes(one));
  const missing = inputs.filter((one) => one.preset === undefined && !values[one.name]?.trim());
  const wrong = (message: string, found: string, fix: string): Problem =>
    problem({ code: 'bad_value', file, message, found, expected: known.join(', '), fix });
  const problems = [
    ...unknown.map((one) => {
      const fix = didYouMean(one, known).trim() || 'Leave it out';
      return wrong(`the workflow ${name} has no such input`, one, fix);
    }),
    ...missing.map((one) =>
      wrong(`the workflow ${name} needs this input`, one.name, `Add ${one.name}="${one.about}"`),
    ),
  ];
  const presets = inputs.flatMap((one) =>
    one.preset === undefined ? [] : [[one.name, one.preset]],
  );
  return { values: { ...Object.fromEntries(presets), ...values } as typeof values, problems };
}

/** Each once, in the order of the items. */
export function phasesOf({ document }: Workflow): readonly string[] {
  return [...new Set(document.items.flatMap(({ keys }) => keys.phase ?? []))];
}
