/** `contracts report`: what stands in the file, what is left out, what is refused. A browser looks in look.test.ts. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/engine/step/run.ts';
import { readTaskView } from '../../src/page/engine/read-view.ts';
import { commandRoom } from '../support/command-room.ts';
import type { Script } from '../support/scripted-room.ts';
import { makeWorld } from '../support/world.ts';

const HOSTILE =
  '<img src=x onerror=alert(1)> `${7*7}` [a](javascript:alert(2)) \u202Eevil | @you #1';

async function room() {
  const made = commandRoom();
  await made.said('new', 'Write the page', '--id', 'page', '--run', 'test -s page.txt');
  await made.said('new', HOSTILE, '--id', 'bad', '--depends-on', 'page', '--run', 'true');
  return made;
}

const report = (root: string, name = 'contracts-report.html') =>
  readFileSync(join(root, name), 'utf8');

test('one file is written, which loads and runs nothing', async () => {
  const { root, said } = await room();
  const { code, out } = await said('report', '-o', 'look.html');
  expect(out).toMatch(/^Wrote .*look\.html \(2 tasks, \d+ KB\)\. It opens in any browser/);
  expect(code).toBe(0);
  const html = report(root, 'look.html');
  expect(html).toContain("default-src 'none'");
  // A name in a link would be asked for before a click.
  expect(html).toContain('http-equiv="x-dns-prefetch-control" content="off"');
  expect(html).toContain('Write the page');
  expect(html).not.toMatch(/<script|<img|<iframe|<link|<object|href="(?!#)(?!https?:)/);
});

test('texts of others are inert in HTML and in Markdown', async () => {
  const { said } = await room();
  const html = (await said('report', '-o', '-')).out;
  expect(html).not.toContain('<img');
  expect(html).not.toContain('\u202E');
  expect(html).toContain('&lt;img src=x');
  const { out: markdown } = await said('report', '--markdown');
  expect(markdown).not.toMatch(/<img|\u202E|(?<!\\)\]\(|(?<!\u200b)@you|^\|.*[^\\]\| @/m);
  expect(markdown.match(/^\|/gm)).toHaveLength(4);
});

test('no entity, autolink or keyword of a host works in Markdown', async () => {
  const made = commandRoom();
  const title = '&commat;octocat fixes GH-12, see www.evil.example or ftp://a.example <b>';
  await made.said('new', title, '--id', 'bad', '--run', 'true');
  const { out } = await made.said('report', '--markdown');
  expect(out).toContain('&amp;commat;octocat fixes GH\u200b-12');
  expect(out).not.toMatch(/www\.evil|ftp:\/\/|&commat|\\&lt;|<b/);
});

test('a question that its agent has answered itself is open for the person', async () => {
  const world = makeWorld();
  world.agent('questions_max: 1\n');
  world.write(
    'active_tasks/ready/a/contract.md',
    '---\ntitle: A\n---\n\n## Success Criteria\n\n- [ ] it is there\n',
  );
  const asked = '## Questions\n\n1. Which one?\n\n### Answer\n\nThe first, I think.\n';
  const script: Script = ({ desk }) => (writeFileSync(join(desk, 'questions.md'), asked), 0);
  const { ws } = world.process({ script });
  await run(ws);
  const view = await readTaskView(ws, 'a', 1);
  expect(view.ok && view.value.asked).toMatchObject([{ number: 1, text: 'Which one?' }]);
});

test('a graph, a plan of that name and an age choose what is in it', async () => {
  const { said } = await room();
  const html = (await said('report', '-o', '-')).out;
  expect(html).toMatch(/<svg[^>]*2 tasks; an arrow leads/);
  const { code, err } = await said('report', '--plan', 'none');
  expect([code, err]).toEqual([2, expect.stringContaining('there is no such plan')]);
  expect((await said('report', '--since', 'soon')).code).toBe(2);
  expect((await said('report', '--since', '1h', '--markdown')).out).toContain('since 1h');
});

test('--json has one line, with the text where no file is written', async () => {
  const { root, said } = await room();
  const named = JSON.parse((await said('report', '--json', '-o', 'a.html')).out);
  expect(named).toMatchObject({ event: 'reported', to: 'html', tasks: 2 });
  expect(named.file).toMatch(/a\.html$/);
  expect(report(root, 'a.html')).toContain('</html>');
  const shown = JSON.parse((await said('report', '--json', '--markdown')).out);
  expect(shown).toMatchObject({ to: 'markdown', text: expect.stringContaining('## ') });
});

test('a place that cannot be written is refused, with what to do', async () => {
  const { root, said } = await room();
  mkdirSync(join(root, 'folder'));
  for (const place of ['folder', 'none/a.html']) {
    const { code, err } = await said('report', '-o', place);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot be written \((?:EISDIR|ENOENT)\).*-o FILE/s);
  }
});

test('a change in one endless line is cut, with what shows it whole', async () => {
  const { root, said } = commandRoom();
  execFileSync('git', ['-C', root, 'init', '--quiet']);
  const sh = 'head -c 300000 /dev/zero | tr "\\0" x > long.txt';
  await said('new', 'Long', '--id', 'long', '--adapter', 'shell', '--sh', sh, '--run', 'true');
  await said('confirm', 'long');
  await said('run');
  const { out } = await said('report', '-o', '-');
  expect(out).toContain('long.txt');
  expect(out.length).toBeLessThan(40_000);
  expect(out).toMatch(/\d+ lines? more/);
});
