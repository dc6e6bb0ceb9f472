// The templates of the package, compiled ahead: code that Handlebars' small runtime fills, so that the
// command carries no template compiler for them. Must compile as src/task/text/markdown/template.ts does; a test
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

/** A CommonJS module that holds every template that `chosen` is true of: `made.brief()` and `text.brief`. */
export function precompiledTemplates(folder, chosen) {
  const templates = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.hbs') && chosen(name))
    .map((name) => [name.slice(0, -4), readFileSync(join(folder, name), 'utf8')]);
  const made = templates.map(
    ([name, text]) => `  ${JSON.stringify(name)}: () => (${precompile(text)}),\n`,
  );
  const text = JSON.stringify(Object.fromEntries(templates));
  return `exports.made = {\n${made.join('')}};\nexports.text = ${text};\n`;
}
