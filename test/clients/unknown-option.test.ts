/** What the real clients print of an option that they do not know, word for word. */
import { expect, test } from 'vitest';
import { opencode } from '../../src/clients/opencode/opencode.ts';
import { plainLine } from '../../src/clients/calls/client-events.ts';

test.each([
  ["error: unknown option '--no-such-option-here'"],
  ["error: unexpected argument '--no-such-option-here' found"],
  ['Unknown arguments: such-option-here, suchOptionHere'],
])('%s', (line) => {
  expect(plainLine(line)).toEqual([
    { kind: 'noise', text: line },
    { kind: 'error', what: 'version', text: line },
  ]);
});

test('opencode prints its help instead', () => {
  const line = 'opencode run [message..]';
  expect(opencode.read(line)).toEqual([
    { kind: 'noise', text: line },
    { kind: 'error', what: 'version', text: `it printed its help: ${line}` },
  ]);
  for (const other of ['run opencode with a message', `it said ${line}`]) {
    expect(opencode.read(other)).toEqual([{ kind: 'noise', text: other }]);
  }
});

test.each([['I found an unknown option in your file'], ['Usage: gemini [options] [command]']])(
  'no more than a line: %s',
  (line) => expect(plainLine(line)).toEqual([{ kind: 'noise', text: line }]),
);
