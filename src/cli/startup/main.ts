/** The start of the `contracts` command, and the only place that sets its exit code: see EXIT. */
import { EXIT } from '../terminal/frame.ts';
import { main } from './program.ts';
import { output } from '../streams/write-fd.ts';

export function start(): void {
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
    setImmediate(endSoon);
  });
  process.once('exit', (code) => {
    if (output.failed && code <= EXIT.people) process.exitCode = EXIT.fault;
  });
}

/** After the last write (streams.ts). A process that ends by itself first clears its memory: a millisecond. */
function endSoon(): void {
  if (process.getActiveResourcesInfo().length === 0) process.exit();
}
