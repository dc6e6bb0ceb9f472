/**
 * The `contracts` command. Turns arguments into calls of the engine and results into lines; has no
 * rule of its own. The only place that exits: 0 fine, 1 people are needed or problems were found,
 * 2 usage, 3 a fault of the environment, 70 a bug, 130 interrupted.
 */
import { EXIT } from '../terminal/frame.ts';
import { main } from './program.ts';
import { output } from '../terminal/write-fd.ts';

export function start(): void {
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
    setImmediate(endSoon);
  });
  process.once('exit', (code) => {
    if (output.failed && code <= EXIT.people) process.exitCode = EXIT.fault;
  });
}

/**
 * Behind what was still to be written (streams.ts). Where nothing is under way the process would end now by
 * itself, but not before it has taken its whole memory apart, which takes a millisecond.
 */
function endSoon(): void {
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}
