/**
 * The only door to Handlebars. What people and agents wrote is only ever a value, and a value is never
 * run, escaped or looked up by prototype; a value that is missing is a fault.
 */
import Handlebars from 'handlebars';
import Runtime from 'handlebars/runtime.js';
import { given } from '../../core/base/defined-fields.ts';
import { Fault } from '../../core/model/problem.ts';
import { escapeBlock } from './escape.ts';
import { oneLine } from './sections.ts';

const HELPERS = 'if unless each with lookup line block is'.split(' ');

const OPTIONS = {
  strict: true,
  noEscape: true,
  knownHelpers: Object.fromEntries(HELPERS.map((name) => [name, true])) as never,
  knownHelpersOnly: true,
};

/** Why this text is no template; undefined where it can be compiled. */
export function whyNoTemplate(text: string): string | undefined {
  try {
    Handlebars.precompile(text, OPTIONS);
    return undefined;
  } catch (cause) {
    return cause instanceof Error
      ? (cause.message.split('\n')[0] ?? '').replace(/:$/, '')
      : String(cause);
  }
}

/** The text of a template, or what Handlebars' precompile made of it. */
export type Template = string | object;

function isolated<T extends typeof Handlebars>(handlebars: T): T {
  const own = handlebars.create() as T;
  // It would print.
  own.unregisterHelper('log');
  // One line of words, whatever was given.
  own.registerHelper('line', (text: unknown) => oneLine(asText(text)));
  // Free text that cannot end the section it is in.
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

let compiler: typeof Handlebars | undefined;
let runtime: typeof Handlebars | undefined;

/** Compiling takes milliseconds, and a process renders the same few sources again and again. */
const known = new Map<string, HandlebarsTemplateDelegate>();
/** More than the package and any workspace have. */
export const COMPILED_MAX = 64;

function compiled(template: Template): HandlebarsTemplateDelegate {
  if (typeof template !== 'string') {
    runtime ??= isolated(Runtime as typeof Handlebars);
    return runtime.template(template as TemplateSpecification);
  }
  const before = known.get(template);
  if (before !== undefined) return before;
  compiler ??= isolated(Handlebars);
  const made = compiler.compile(template, OPTIONS);
  if (known.size >= COMPILED_MAX) known.clear();
  known.set(template, made);
  return made;
}

export function renderTemplate(
  template: Template,
  values: Record<string, unknown>,
  name = 'template',
): string {
  try {
    // To Handlebars an undefined value is there; here it is missing.
    return compiled(template)(given(values), {
      allowProtoPropertiesByDefault: false,
      allowProtoMethodsByDefault: false,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new Fault('template', `the template ${name} cannot be rendered: ${reason}`, {
      cause,
      fix: `Correct ${name}, or remove your own copy to use the built-in one.`,
    });
  }
}
