/** What a person reads where the disk refuses: the file, what cannot be done with it, and what to do. */
import { expect, test } from 'vitest';
import { faultEvent } from '../../src/engine/attempt/fault-event.ts';

const of = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: as Node says it, ${syscall} '/w/x'`), {
    code,
    syscall,
    path: '/w/x',
  });

test.each([
  ['EACCES', 'mkdir', '/w/x cannot be written (EACCES)'],
  ['EPERM', 'open', '/w/x cannot be opened (EPERM)'],
  ['EROFS', 'rename', '/w/x cannot be written (EROFS)'],
  ['EMFILE', 'open', "EMFILE: as Node says it, open '/w/x'"],
])('%s in %s', (code, syscall, reason) => {
  expect(faultEvent(undefined, of(code, syscall))).toMatchObject({
    reason,
    fix: expect.stringMatching(/, then run this again$/) as string,
  });
});
