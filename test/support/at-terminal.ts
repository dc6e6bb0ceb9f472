/** A command line that gives a command a terminal of its own, for what nobody looks at or answers. */
import { shellWord } from '../../src/task/core/base/shell-quote.ts';

export function atTerminal(argv: readonly string[]): readonly [string, ...string[]] {
  if (process.platform !== 'linux') return ['script', '-q', '/dev/null', ...argv];
  return ['script', '-qec', argv.map(shellWord).join(' '), '/dev/null'];
}
