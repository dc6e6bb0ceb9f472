/** memory assumptions: the open ones, a line each, and the contracts that ask about them. */
import { given } from '../../task/core/base/defined-fields.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { dataOf } from '../../cli/output/output.ts';
import { verb } from '../../cli/terminal/verb-context.ts';
import { weightWords } from '../../memory/core/weight.ts';
import type { lines } from '../core/assumption-lines.ts';
import { askWhereDue } from '../engine/ask.ts';
import { heaviestFirst, openAssumptions } from '../engine/store.ts';

const assumptionData = dataOf<typeof lines>();

export const runs = {
  'memory assumptions': verb(({ ws, out }) => {
    const { open, problems } = openAssumptions(ws);
    if (!out.json) for (const one of problems) out.problem(one);
    for (const one of heaviestFirst(open, ws)) {
      const { id, file, kind, information, confidence, plan, source } = one;
      const { passed, came_back, weight } = one;
      const weighed = { passed, came_back, weight };
      const facts = { id, file, kind, information, confidence, ...weighed, ...given({ plan }) };
      assumptionData(out, { v: 1, event: 'assumption', ...facts, source: [...source] });
      const sure = kind === 'decision' ? 'open decision' : String(confidence);
      out.printWrapped(`${escapeText(id)}  ${sure}  ${escapeText(oneLine(information))}`);
      const words = weightWords(one);
      if (words !== '') out.printWrapped(`  ${words}`);
    }
    for (const { id, isNew } of askWhereDue(ws, true)) {
      assumptionData(out, { v: 1, event: 'assumptions_asked', id, is_new: isNew });
      out.print(`Next: contracts answer ${id}`);
    }
    if (open.length === 0) out.print('No assumption is open.');
  }),
};
