/** demo: copies a small workspace, and runs the commands of its story there as a person types them. */
import { join, relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { colours as pc } from '../../cli/output/colour.ts';
import { dataOf } from '../../cli/output/output.ts';
import { screenOf } from '../../cli/output/text-width.ts';
import { EXIT } from '../../cli/terminal/frame.ts';
import { ignoringCtrlC } from '../../cli/terminal/interruptible.ts';
import { bare, misused, refuseUse, type Place } from '../../cli/terminal/verb-context.ts';
import { findProgram } from '../../process/program.ts';
import { runInTerminal } from '../../process/terminal-run.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import type { lines } from '../core/demo-lines.ts';
import { LEFT, SIGHTS, STORY, type Scene } from '../core/story.ts';
import { copyWorkspace, freeName } from '../engine/copy-workspace.ts';

/** The built command, which starts itself again for each command of the story. */
const binary = (): string => resolve(packageFolder(), 'dist/bin/contracts.cjs');

const demoData = dataOf<typeof lines>();

export const runs = { demo: bare(doDemo) };

async function doDemo(place: Place, _: object, named = 'contracts-demo'): Promise<void> {
  const folder = resolve(place.line.dir ?? '.', named);
  const why = copyWorkspace(realDisk, folder);
  if (why !== undefined) {
    const isTaken = realDisk.stat(folder) !== undefined;
    const another = isTaken ? shellWord(freeName(realDisk, named)) : '~/contracts-demo';
    refuseUse(place, why, `Choose a new folder: contracts demo ${another}`, named);
  }
  for (const scene of STORY) if (!(await isPlayed(place, folder, scene))) return;
  const [gone] = SIGHTS.find(([path]) => realDisk.stat(join(folder, path)) === undefined) ?? [];
  if (gone !== undefined) return stop(place, folder, `${gone} was not made`);
  showEnd(place, folder);
}

/** Shows and runs one command. False where the demo ends with it. */
async function isPlayed(place: Place, folder: string, scene: Scene): Promise<boolean> {
  const { out, frame, line } = place;
  const { say, show, command, waits } = scene;
  if (say !== undefined) out.printWrapped(`\n${pc.bold(`» ${say}`)}`);
  if (show !== undefined) for (const one of shown(folder, ...show)) out.print(`    ${one}`);
  const typed = `contracts ${command.map(shellWord).join(' ')}`;
  out.print(pc.bold(`$ ${typed}`));
  demoData(out, { v: 1, event: 'demo_runs', folder, command: [...command] });
  // What was printed so far is written before the command writes.
  await setImmediate();
  const argv = [process.execPath, binary(), ...command, ...(line.json ? ['--json'] : [])];
  const env = { ...process.env, ...frame.ports.env, CONTRACTS_DIR: undefined };
  // Without a keyboard: no command stops to ask.
  const ended = await ignoringCtrlC(() => runInTerminal(argv, { cwd: folder, env, input: '' }));
  const wanted = waits === true ? EXIT.people : EXIT.fine;
  if (ended.code === wanted) return true;
  if (ended.code === EXIT.interrupted) frame.code = EXIT.interrupted;
  else stop(place, folder, `\`${typed}\` ${ended.why || `ended well, and must wait for a person`}`);
  return false;
}

function stop({ out, frame }: Place, folder: string, why: string): void {
  const fix = `Look: contracts -C ${shellWord(folder)} status`;
  out.problem(misused(`the demo did not go as planned: ${why}`, fix));
  frame.code = EXIT.fault;
}

/** The lines of a file of the demo, from the one that begins with `from` to the one before `to`. */
function shown(folder: string, file: string, from = '', to?: string): readonly string[] {
  const all = (textIfThere(realDisk, join(folder, file)) ?? '').trim().split('\n');
  const first = all.findIndex((one) => one.startsWith(from));
  const end = to === undefined ? -1 : all.findIndex((one) => one.startsWith(to));
  const some = all.slice(first, end < 0 ? undefined : end);
  return some
    .join('\n')
    .trim()
    .split('\n')
    .map((one) => escapeText(one));
}

function showEnd({ out, frame }: Place, folder: string): void {
  const at = relative(process.cwd(), folder);
  const here = at.startsWith('..') ? folder : at || '.';
  const path = { ...process.env, ...frame.ports.env }['PATH'];
  // Where npx runs it, no shell finds it afterwards.
  const isFound = findProgram('contracts', path ?? '', (file) => !file.includes('/node_modules/'));
  const program = isFound ? 'contracts' : `node ${shellWord(binary())}`;
  const next = [`cd ${shellWord(here)}`, `${program} show ${LEFT}`];
  const look_at = SIGHTS.map(([path, about]) => ({ path, about }));
  demoData(out, { v: 1, event: 'demo_ended', folder, look_at, next });
  out.print(`\n${pc.bold('» The demo ended as planned. All of it is files; look at these:')}`);
  const paths = look_at.map((one) => escapeText(join(here, one.path)));
  const wide = Math.max(...paths.map(({ length }) => length));
  const abouts = Math.max(...look_at.map(({ about }) => about.length));
  const isBeside = wide + abouts + 4 <= screenOf(frame.streams).limit;
  const gap = isBeside ? '  ' : '\n      ';
  for (const [i, { about }] of look_at.entries())
    out.print(`  ${(paths[i] ?? '').padEnd(isBeside ? wide : 0)}${gap}${about}`);
  out.print(`Next: ${next.join(' && ')}`);
}
