/**
 * What package.json names as the command: looks at the arguments and loads the one file that holds all
 * they need (scripts/bundle.mjs). Only the version is said at once. Cannot fail by itself.
 */
import { load } from './load.ts';
import { packageVersion } from './version.ts';
import { familyOf } from './wanted.ts';
import { writeAll } from './write-fd.ts';

/** JSON, pairs of verb and file: what is called all day has a file of its own. */
declare const FAMILY_OF: string;

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  writeAll(1, `${packageVersion()}\n`);
} else {
  const families = new Map(JSON.parse(FAMILY_OF) as [verb: string, family: string][]);
  const { start } = load(`${familyOf(argv, families)}.cjs`) as { start(): void };
  start();
}
