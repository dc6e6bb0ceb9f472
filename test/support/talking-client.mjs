// A client that a person talks to in a terminal: shows the brief that it was given, does what is typed.
// Ctrl-C stops what it does and not itself, as with the real ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const desk = process.env.CONTRACTS_OUT ?? '';
const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
process.on('SIGINT', () => process.stdout.write('stopped what I did\n'));
process.stdout.write(
  `terminal ${process.stdin.isTTY === true}, task ${process.env.CONTRACTS_TASK}, ` +
    `secret ${process.env.SECRET_OF_MINE}\nbrief of ${readFileSync(process.argv[2], 'utf8').length > 100 ? 'some' : 'no'} length\n> `,
);
lines.on('line', (line) => {
  if (line === 'done') {
    writeFileSync(
      join(desk, 'result.md'),
      '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] It is there: seen\n',
    );
  }
  if (line === 'ask') writeFileSync(join(desk, 'questions.md'), '## Questions\n\n1. Which?\n');
  if (line === 'die') process.kill(process.pid, 'SIGKILL');
  if (line === 'bye') process.exit(3);
  process.stdout.write(`heard ${line}\n> `);
});
