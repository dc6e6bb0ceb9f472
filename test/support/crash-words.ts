/**
 * The words that crash stories share: a contract, a result, a review, an agent that completes its work
 * or says who did not tell it something. Agents are MOCK.
 */
import type { Turn } from './crash-tree.ts';

export const CONFIG = `adapter: mine
retries_max: 1
adapters:
  mine: { type: command, run: [sh, "{{brief_file}}"] }
`;

export function contract(title: string, head: readonly string[] = [], body = ''): string {
  const keys = ['v: 1', `title: ${title}`, ...head].join('\n');
  return `---\n${keys}\n---\n\n# ${title}\n\n## Objective\n\nIt is ${title}.\n\n## Success Criteria\n\n- [ ] it is there\n${body}`;
}

export const VERIFIED = ['verify:', '  - run: sh check.sh'];

export function result(turn: Turn, status = 'COMPLETE', box = 'x'): string {
  return `# Task Result: ${turn.task}\n\n- Status: ${status}\n\n## Success Criteria\n\n- [${box}] it is there: turn ${turn.nth} of ${turn.kind}\n\n## Notes\n\nwords of turn ${turn.nth}\n`;
}

export function review(turn: Turn, verdict: string): string {
  return `# Review: ${turn.task}\n\n- Verdict: ${verdict}\n\n## Findings\n\n1. finding of turn ${turn.nth}\n`;
}

export function complete(turn: Turn): number {
  turn.write('status.md', `- Status: COMPLETE\n\nstatus of turn ${turn.nth}\n`);
  turn.write('result.md', result(turn));
  return 0;
}

/** The runner must have told the agent these words; what it was not told spoils its result. */
export function told(turn: Turn, words: string): number {
  if (turn.brief.includes(words)) return complete(turn);
  turn.write('result.md', `${result(turn, 'FAILED')}\nnobody told me: ${words}\n`);
  return 0;
}

/** The ids of the children of `one`: parent, name, and a hash that both say (delegation/core/child-rules.ts). */
export const CHILD_IDS = { a: 'one-a-m0tr', b: 'one-b-nbw8', c: 'one-c-69sj' } as const;
