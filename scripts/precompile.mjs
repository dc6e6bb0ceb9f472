// The templates of the package, compiled ahead: code that Handlebars' small runtime fills, so that the
// command carries no template compiler for them. Must compile as src/text/template.ts does; a test
// holds both to the same output for every template.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';

const HELPERS = 'if unless each with lookup line block is'.split(' ');

/** A template's text to the source of an object for the runtime's `template`. */
export function precompile(source) {
  return Handlebars.precompile(source, {
    strict: true,
    noEscape: true,
    knownHelpers: Object.fromEntries(HELPERS.map((name) => [name, true])),
    knownHelpersOnly: true,
  });
}

/** What stands in the bundle for src/engine/built-in-templates.ts. */
export function precompiledTemplates(folder) {
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.hbs'))
    .map((name) => [name.slice(0, -4), readFileSync(join(folder, name), 'utf8')]);
  const entries = sources.map(
    ([name, source]) => `  ${JSON.stringify(name)}: () => (${precompile(source)}),`,
  );
  return [
    'const made = {',
    ...entries,
    '};',
    `const texts = ${JSON.stringify(Object.fromEntries(sources))};`,
    'export const builtInTemplate = (disk, name) => made[name]();',
    'export const builtInText = (disk, name) => texts[name];',
  ].join('\n');
}
