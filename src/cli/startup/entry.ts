/**
 * What package.json names as the command: loads the one file that holds all that the arguments need
 * (scripts/bundle.mjs). The version and the help of usual width, which the build wrote down, need none.
 */
import { mayBeTerminal } from '../streams/device.ts';
import { load, textBeside } from './load.ts';
import { packageVersion } from '../../workspace/open/package-version.ts';
import { familyOf } from './verb-of-args.ts';
import { writeAll } from '../streams/write-fd.ts';

/** JSON, pairs of verb and file: frequent verbs have a file of their own. */
declare const FAMILY_OF: string;

const argv = process.argv.slice(2);
const known = argv.length === 1 ? textOf(argv[0]) : undefined;
if (known === undefined) {
  const families = new Map(JSON.parse(FAMILY_OF) as [verb: string, family: string][]);
  const { start } = load(`${familyOf(argv, families)}.cjs`) as { start(): void };
  start();
} else writeAll(1, known);

function textOf(word: string | undefined): string | undefined {
  if (word === '--version' || word === '-V') return `${packageVersion()}\n`;
  if (word !== '--help' && word !== '-h') return undefined;
  const hasWidth = process.env['COLUMNS'] !== undefined || mayBeTerminal(1);
  return hasWidth ? undefined : textBeside('help.txt');
}
