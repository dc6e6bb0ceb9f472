/**
 * The only door to Handlebars. Templates come from the package and the workspace; what people and
 * agents wrote is only ever a value, and a value is never run, escaped or looked up by prototype.
 * A value that the template asks for and nobody gave is a fault with the template's name.
 */
import Handlebars from 'handlebars';
import { Fault } from '../core/problem.ts';
import { escapeBlock } from './block.ts';
import { oneLine } from './sections.ts';

const HELPERS = {
  if: true,
  unless: true,
  each: true,
  with: true,
  lookup: true,
  line: true,
  block: true,
  is: true,
};

function isolated(): typeof Handlebars {
  const own = Handlebars.create();
  // It would print.
  own.unregisterHelper('log');
  // One line of words, whatever was given.
  own.registerHelper('line', (text: unknown) => oneLine(asText(text)));
  // Free text that cannot end the section it stands in.
  own.registerHelper('block', (text: unknown) => escapeBlock(asText(text)));
  own.registerHelper('is', (a: unknown, b: unknown) => a === b);
  return own;
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => `- ${oneLine(asText(one))}`).join('\n');
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error('a text is missing');
}

const engine = isolated();

/** Handlebars takes an undefined value for a given one; here it is missing. */
function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

type Template = ReturnType<typeof engine.compile>;

/** Compiling takes milliseconds, and a process renders the same few sources again and again. */
const compiled = new Map<string, Template>();
/** More than the package and any workspace have; after that, it begins anew. */
export const COMPILED_MAX = 64;

function compile(source: string): Template {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const template = engine.compile(source, {
    strict: true,
    noEscape: true,
    knownHelpers: HELPERS as never,
    knownHelpersOnly: true,
  });
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(source, template);
  return template;
}

export function renderTemplate(
  source: string,
  values: Record<string, unknown>,
  name = 'template',
): string {
  try {
    return compile(source)(given(values), {
      allowProtoPropertiesByDefault: false,
      allowProtoMethodsByDefault: false,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new Fault(`the template ${name} cannot be rendered: ${reason}`, {
      cause,
      fix: `Mend ${name}, or remove your own copy so that the built-in one serves.`,
    });
  }
}
