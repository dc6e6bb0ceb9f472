/** The file of an assumption: front matter, and below it what people add. */
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { dumpFrontMatter } from '../../task/text/yaml/dump.ts';
import { readFrontMatter } from '../../task/text/yaml/front-matter.ts';
import type { Assumption } from '../core/assumption.ts';

/** Unreadable fields count as absent; a file without a sentence is refused. */
export function parseAssumption(text: string, file: string): Result<Assumption> {
  const read = readFrontMatter(text, file);
  if (!read.ok) return read;
  const { head, body } = read.value;
  const information = oneLine(typeof head['information'] === 'string' ? head['information'] : body);
  if (information === '') {
    const fix = 'Write information: and a sentence, or delete the file';
    const message = 'this assumption says nothing';
    return refused({ code: 'bad_value', severity: 'warning', file, message, fix });
  }
  const { kind, confidence, plan, asked, done, created } = head;
  const texts = (key: string): readonly string[] => {
    const value = head[key];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  };
  const sure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
  return ok({
    kind: kind === 'decision' ? kind : 'assumption',
    information,
    confidence: sure ? confidence : 0.5,
    plan: typeof plan === 'string' && plan !== '' ? plan : undefined,
    source: texts('source'),
    uses: texts('uses'),
    returned: texts('returned'),
    asked: asked === true,
    done: typeof done === 'number' ? done : 0,
    created: typeof created === 'string' ? created : '',
  });
}

export function renderAssumption(one: Assumption): string {
  const { kind, information, confidence, plan, source, uses, returned, asked, done, created } = one;
  const sure = kind === 'assumption' ? { confidence } : {};
  const more = { source, uses, returned, ...(asked && { asked }), done, created };
  return dumpFrontMatter({ v: 1, kind, information, ...sure, plan, ...more });
}
