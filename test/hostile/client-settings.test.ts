/**
 * What an agent in a sandbox tries at the folders of its client: settings that a later session of the person obeys stay
 * as they are, also those that are not there yet, and nothing stays behind; a login is renewed in place and by a rename.
 */
import { describe, expect, test } from 'vitest';
import {
  CLIENTS,
  here,
  LOGIN,
  makeRoom,
  NAMED_BY_SETTINGS,
  OBEYED,
  SESSION,
  settled,
  step,
} from './client-room.ts';
import { share } from '../support/share.ts';

/** In place, by a rename, by taking the old one away; and the folder above. */
function attackOn(path: string): string {
  const full = `"$HOME/${path}"`;
  return [
    `mkdir -p "$(dirname ${full})"`,
    `echo evil > ${full}`,
    `chmod u+w ${full}; echo evil >> ${full}`,
    `echo evil > ${full}.new; mv -f ${full}.new ${full} || rm -f ${full}.new`,
    `rm -f ${full} && echo evil > ${full}`,
    `f="$(dirname ${full})"; mv "$f" "$f.away" && mkdir -p "$f" && echo evil > ${full}`,
    `ln -sf /tmp/evil ${full}`,
    `umount ${full}; mount --bind /tmp ${full}`,
    `for d in /proc/[0-9]*/root /proc/[0-9]*/fd/*; do [ -d "$d" ] && echo evil > "$d${'$'}HOME/${path}"; done`,
  ]
    .map((line) => `(${line}) >/dev/null 2>&1`)
    .join('\n');
}

describe.runIf(here).each([false, true])('as an ordinary user: %s', (ordinary) => {
  /** Half of the clients, the others as the other user; the commit chooses, and at night all. */
  const clients = (shift: number) => share(CLIENTS, 2, shift + Number(ordinary));
  test.each(clients(0))('%s: what is not there yet is not there afterwards', async (type) => {
    const names = OBEYED[type].filter((name) => !NAMED_BY_SETTINGS.test(name));
    const one = makeRoom(type, names.map(attackOn).join('\n'));
    step(one, ordinary);
    const after = await settled(one);
    expect(one.outcome()).toContain('outcome: complete');
    expect(Object.entries(after).filter(([, text]) => text !== '')).toEqual([]);
    for (const name of names) expect(Object.keys(after)).not.toContain(one.at(name));
    expect(
      Object.keys(after).filter((name) => /[./]settings|agents|skills|plugin|hooks/.test(name)),
    ).toEqual([]);
  });

  test.each(clients(1))('%s: what is there stays as it is', async (type) => {
    const one = makeRoom(type, OBEYED[type].map(attackOn).join('\n'));
    const own = (name: string): string => (name.endsWith('.json') ? '{}' : '# mine\n');
    for (const name of OBEYED[type]) one.put(name, own(name));
    step(one, ordinary);
    const after = await settled(one);
    expect(one.outcome()).toContain('outcome: complete');
    for (const name of OBEYED[type]) expect([name, after[one.at(name)]]).toEqual([name, own(name)]);
    expect(one.outcome()).toContain('could not write');
  });

  test.each(clients(2))(
    '%s: a login is renewed in place and by a rename, a session kept',
    async (type) => {
      const login = `"$HOME/${LOGIN[type]}"`;
      const session = `"$HOME/${SESSION[type]}"`;
      const one = makeRoom(
        type,
        `grep -q first ${login} || exit 7
      echo second > ${login}
      echo third > ${login}.tmp && mv -f ${login}.tmp ${login}
      mkdir -p "$(dirname ${session})" && echo said > ${session}`,
      );
      one.put(LOGIN[type], 'first\n');
      step(one, ordinary);
      const after = await settled(one);
      expect(after[one.at(LOGIN[type])]).toBe('third\n');
      expect(after[one.at(SESSION[type])]).toBe('said\n');
      expect(one.outcome()).not.toContain('noticed');
    },
  );
});
