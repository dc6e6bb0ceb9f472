/** Markdown of others that is made to keep a browser busy: it is shown as it is written, and at once. */
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Markdown } from '../../src/page/views/markdown.tsx';
import { Here } from '../../src/page/views/parts.tsx';

const here = {
  task: () => undefined,
  now: new Date(0),
  longest: 100_000,
};
const shown = (text: string, inline = false): string =>
  renderToString(h(Here.Provider, { value: here, children: h(Markdown, { text, inline }) }));

test.each(['_a_', 'a**', '**a', '***a***b', '_*a', '~~a'])(
  'a paragraph of %s alone is no markup, as its parser would take minutes',
  (part) => {
    const text = part.repeat(30_000);
    expect(shown(text)).toMatch(/^<div class="md"><pre class="lines">/);
    expect(shown(text.slice(0, 9000), true)).toBe(`<span>${text.slice(0, 9000)}</span>`);
  },
);

test('many paragraphs with some emphasis each stay markup', () => {
  const html = shown('It is **bold** and _so on_.\n\n'.repeat(600));
  expect(html.match(/<strong>bold<\/strong>/g)).toHaveLength(600);
});
