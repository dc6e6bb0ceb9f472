/**
 * What package.json names as the command: looks at the arguments and loads the one file that holds all
 * they need (scripts/bundle.mjs). Only the version is said at once, and the help as wide as it is where
 * nobody told a width, which the build has written down. Cannot fail by itself.
 */
import { mayBeTerminal } from '../terminal/device.ts';
import { load, textBeside } from './load.ts';
import { packageVersion } from '../../workspace/open/package-version.ts';
import { familyOf } from './verb-of-args.ts';
import { writeAll } from '../terminal/write-fd.ts';

/** JSON, pairs of verb and file: what is called all day has a file of its own. */
declare const FAMILY_OF: string;

const argv = process.argv.slice(2);
const said = argv.length === 1 ? textOf(argv[0]) : undefined;
if (said === undefined) {
  const families = new Map(JSON.parse(FAMILY_OF) as [verb: string, family: string][]);
  const { start } = load(`${familyOf(argv, families)}.cjs`) as { start(): void };
  start();
} else writeAll(1, said);

function textOf(word: string | undefined): string | undefined {
  if (word === '--version' || word === '-V') return `${packageVersion()}\n`;
  if (word !== '--help' && word !== '-h') return undefined;
  const told = process.env['COLUMNS'] !== undefined || mayBeTerminal(1);
  return told ? undefined : textBeside('help.txt');
}
