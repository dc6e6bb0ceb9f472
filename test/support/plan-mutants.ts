/** The mutants of plans, checkpoints and chiefs, each without one of the looks that hold work back. */
import type { Mutant } from './mutant-list.ts';

const DECIDE = ['test/engine/core/decide.test.ts'];
const CHILDREN = ['test/delegation/core/child-rules.test.ts'];
const BOXES = ['test/plans/plan-boxes.test.ts', 'test/plans/plan-edits.test.ts'];
const GOLDEN = ['test/cases'];

export const PLAN_MUTANTS: readonly Mutant[] = [
  {
    name: 'a paused plan is worked on',
    file: 'engine/core/decide/admission.ts',
    killers: DECIDE,
    text: "      ? wait('held', hold)\n",
    instead: '      ? undefined\n',
  },
  {
    name: 'a plan that goes one at a time is worked on by many',
    file: 'engine/core/decide/admission.ts',
    killers: DECIDE,
    text: "  turn_taken: ({ key, by }) => wait('turn', { turn: key, other: by }),\n",
    instead: '  turn_taken: () => undefined,\n',
  },
  {
    name: 'a checkpoint that is over although work of its wave is not',
    file: 'task/core/model/task.ts',
    killers: ['test/checkpoints/core/decide-checkpoint.test.ts'],
    text: '  if (dependency.join !== true) return isDone(dependency);\n',
    instead: '  if (dependency.join === true) return true;\n',
  },
  {
    name: 'a parent does not wait for its children',
    file: 'engine/core/decide/decide-ready.ts',
    killers: DECIDE,
    text: "      children.length > 0 ? wait('children'",
    instead: "      children.length < 0 ? wait('children'",
  },
  {
    name: 'a child of a parent that was given up is worked on',
    file: 'engine/core/decide/decide-ready.ts',
    killers: DECIDE,
    text: '  if (parent !== undefined) return wait(',
    instead: '  if (parent === "") return wait(',
  },
  {
    name: 'no budget of children',
    file: 'delegation/engine/make-children.ts',
    killers: GOLDEN,
    text: '  if (used + wanted > children_max) {\n',
    instead: '  if (used + wanted < 0) {\n',
  },
  {
    name: 'no budget of depth',
    file: 'delegation/engine/make-children.ts',
    killers: GOLDEN,
    text: '  if (depth > depth_max) {\n',
    instead: '  if (depth < 0) {\n',
  },
  {
    name: 'a child for whom it likes',
    file: 'delegation/engine/check-child.ts',
    killers: GOLDEN,
    text: '  if (!giving.includes(canonical)) {\n',
    instead: '  if (giving.length < 0) {\n',
  },
  {
    name: 'a child may write what its parent may not',
    file: 'delegation/core/child-rules.ts',
    killers: CHILDREN,
    text: '    if (parent.write === undefined || parent.write.some((one) => covers(one, glob))) continue;\n',
    instead: '    if (parent.write === undefined || glob !== "") continue;\n',
  },
  {
    name: 'decided by boxes that were changed meanwhile',
    file: 'checkpoints/engine/apply-decision.ts',
    killers: ['test/checkpoints/checkpoint-looks.test.ts'],
    text: '  if (now.decision === undefined || now.decision !== seen?.decision) return undefined;\n',
    instead: '',
  },
  {
    name: 'REVIEW keeps what was approved',
    file: 'checkpoints/engine/apply-decision.ts',
    killers: GOLDEN,
    text: '  for (const attempt of new Set(marked)) put(ws.putting, `${attempt}/anew.md`, bytesOf(record));\n',
    instead: '',
  },
  {
    name: 'the same decision sends a task twice',
    file: 'checkpoints/engine/apply-decision.ts',
    killers: ['test/engine/crash-points.test.ts'],
    text: '    if (same && one.number < (highest?.number ?? 0)) return false;\n',
    instead: '',
  },
  {
    name: 'an approval of before REVIEW is rolled forward by the lease that stayed',
    file: 'task/core/attempts/open-attempt.ts',
    killers: DECIDE,
    text: '  if (!highest.leased || highest.anew) return undefined;\n',
    instead: '  if (!highest.leased) return undefined;\n',
  },
  {
    name: 'ABORT leaves behind who cannot be read',
    file: 'checkpoints/engine/apply-decision.ts',
    killers: ['test/checkpoints/checkpoint-unread.test.ts'],
    text: '  if (fault !== undefined) throw fault;\n',
    instead: '',
  },
  {
    name: 'what an agent decided before is taken for a question',
    file: 'checkpoints/engine/apply-decision.ts',
    killers: ['test/engine/crash-points.test.ts'],
    text: "  if (state === 'ready') keepDecision(ws, taskFolder(ws.layout, state, id));\n",
    instead: '',
  },
  {
    name: 'a box is ticked although its task is not done',
    file: 'plans/core/box-projection.ts',
    killers: BOXES,
    text: "  if (one.every((meaning) => meaning === 'done')) return 'done';\n",
    instead: "  if (one.includes('done')) return 'done';\n",
  },
  {
    name: 'a criterion is ticked before its item is done',
    file: 'plans/core/box-projection.ts',
    killers: BOXES,
    text: "    const met = now === 'done' ? 'done' : 'open';\n",
    instead: "    const met = now === 'open' ? 'open' : 'done';\n",
  },
  {
    name: 'who does a thing may judge it, in a plan',
    file: 'plans/core/expand-verify.ts',
    killers: ['test/plans/core/expand.test.ts'],
    text: '    if (name === this.#part.worker && name !== PERSON) {\n',
    instead: "    if (name === '') {\n",
  },
];
