/** Whether a text is JSON of a schema: draft 7, or 2020-12 where the schema says so. */
import { Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMatch } from './try-pattern.ts';

interface Named {
  /** As it is named in what is wrong. */
  readonly name: string;
  readonly text: string;
}

const SHOWN_MAX = 5;
/** A pattern of a schema is tried with a time limit. */
const regExp = Object.assign(
  (pattern: string, flags: string) => ({ test: (text: string) => isMatch(pattern, flags, text) }),
  { code: 'isMatch' },
);
const OPTIONS = {
  ...({ allErrors: true, strict: false, validateFormats: false, logger: false } as const),
  code: { regExp },
};

/** undefined where it is. */
export function whyNoJson(file: Named, schema: Named): string | undefined {
  const [data, shape] = [parsed(file), parsed(schema)];
  for (const one of [data, shape]) if ('why' in one) return one.why;
  const { value: rules } = shape as { readonly value: AnySchemaObject };
  const isNew = /2020-12/.test(String(rules?.$schema));
  const ajv = isNew ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  try {
    const isOf = ajv.compile(rules);
    if (isOf((data as { value: unknown }).value)) return undefined;
    return `${file.name} is not of ${schema.name}: ${wordsOf(isOf.errors ?? [])}`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${file.name} cannot be compared with ${schema.name}: ${why}`;
  }
}

function parsed({ name, text }: Named) {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { why: `${name}: not JSON` };
  }
}

function wordsOf(errors: readonly ErrorObject[]): string {
  const words = errors.map(({ instancePath, message = '' }) => `${instancePath || '/'} ${message}`);
  const more = words.length - SHOWN_MAX;
  return words.slice(0, SHOWN_MAX).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
