/** memory accept --into: what a person said becomes a line of direction.md. */
import { join } from 'node:path';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putInTurn } from '../../task/store/disk/put.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { escapeComments } from '../../task/text/markdown/escape.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { refuseUse, unwrap, verb } from '../../cli/terminal/verb-context.ts';
import { readText } from '../../workspace/open/text-file.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { named } from '../../memory/cli/memory.ts';
import { forgetLearning, notesOf, readMemory } from '../../memory/engine/store.ts';
import { DIRECTION } from '../engine/direction.ts';
import { PARTS, withDirection } from '../text/direction-file.ts';

interface Flags {
  readonly into: string;
  readonly all?: boolean;
}

const TRIES = 8;

export const runs = {
  'memory accept': verb((verb, { into, all = false }: Flags, ids: string[] = []) => {
    const { ws, out } = verb;
    const part = PARTS.find((one) => one === into);
    if (part === undefined)
      refuseUse(verb, `--into takes ${PARTS.join(', ')}`, 'Write --into goals', into);
    if (ids.length === 0 && !all)
      refuseUse(verb, 'no candidate is named', 'Name one, or write --all');
    const memory = readMemory(ws);
    const wanted = all ? memory.candidates : ids.map((id) => named(verb, memory, id));
    for (const one of wanted) {
      const path = join(ws.layout.root, DIRECTION);
      // Once more after it was written: a person's editor may have replaced it in the same instant.
      for (let tries = 1; ; tries++) {
        const isThere = ws.disk.stat(path) !== undefined;
        const text = isThere ? unwrap(verb, readText(ws.disk, path, DIRECTION)) : '';
        const wanted = withDirection(text, part, escapeComments(oneLine(one.information)));
        if (wanted === text) break;
        if (tries > TRIES)
          refuseUse(verb, `${DIRECTION} was changed at the same time`, 'Run it again');
        putInTurn(ws.putting, path, isThere ? sha256(text) : undefined, bytesOf(wanted));
      }
      const isLeft = notesOf(ws, one) !== '';
      if (!isLeft) forgetLearning(ws, one);
      const more = isLeft ? `; ${one.file} stays, for it says more below its head` : '';
      out.print(escapeText(`${one.id}: a line of ${DIRECTION}, under ${part}${more}`));
    }
  }),
};
