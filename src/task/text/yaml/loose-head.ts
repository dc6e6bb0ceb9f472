/** Front matter of other programs, often no YAML. Nested values are refused: they may narrow an agent. */
import type { FrontMatter } from './front-matter.ts';

const KEY = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** undefined: not such a head. CRLF is taken as LF. */
export function readLooseHead(text: string): Pick<FrontMatter, 'head' | 'body'> | undefined {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  if (lines[0] !== '---') return undefined;
  const end = lines.indexOf('---', 1);
  if (end === -1) return undefined;
  const head = Object.create(null) as Record<string, unknown>;
  for (const line of lines.slice(1, end)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, key, value = ''] = KEY.exec(line) ?? [];
    if (key === undefined || key in head || FORBIDDEN.has(key)) return undefined;
    // What only opens something (a block, a list, a mapping) has its meaning in lines that follow.
    if (/^(?:[|>][+-]?|[[{&*!].*)?$/.test(value.trim())) return undefined;
    head[key] = unquoted(value.trim());
  }
  return { head, body: lines.slice(end + 1).join('\n') };
}

function unquoted(value: string): string | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  const quote = value[0];
  const whole = (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote);
  return whole ? value.slice(1, -1) : value;
}
