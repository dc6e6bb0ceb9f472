/**
 * Holds what `--json` said against the JSON Schema that the package ships, and against the shapes
 * behind it, which also refuse keys that nobody documented. Throws with the line that does not fit.
 */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { schemasOf } from '../../scripts/schemas.ts';
import type { Line } from '../../src/index.ts';

export const { lines: lineSchema, files: SCHEMAS } = await schemasOf(CAPABILITIES);

const compiled = new Map<string, ValidateFunction>();

/** The shipped schema of that name, compiled once. */
export function shippedSchema(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
  const made = new Ajv({ strict: true, allowUnionTypes: true, discriminator: false }).compile(
    schema,
  );
  compiled.set(name, made);
  return made;
}

/** Every line of an output that is all JSON. */
export function checkedLines(out: string): Line[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map(checkedLine);
}

export function checkedLine(text: string): Line {
  const value: unknown = JSON.parse(text);
  const shipped = shippedSchema('lines');
  if (!shipped(value)) {
    throw new Error(`not of schemas/lines.schema.json: ${text}\n${words(shipped)}`);
  }
  const exact = lineSchema.safeParse(value);
  if (!exact.success) {
    throw new Error(`not of the shapes of lines: ${text}\n${exact.error.message}`);
  }
  return exact.data as Line;
}

/** Where an output is words and lines: those that are JSON. */
export function checkJsonIn(text: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith('{"v":'));
  for (const line of lines) checkedLine(line);
  return lines.length;
}

function words(validate: ValidateFunction): string {
  return (validate.errors ?? [])
    .slice(0, 5)
    .map((one) => `${one.instancePath} ${one.message ?? ''}`)
    .join('\n');
}
