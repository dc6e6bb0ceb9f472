/** The verbs about learnings, as data. */
import type { FlagValue, JoiningVerb, VerbShape } from '../../workspace/tasks/verb.ts';
import { LEARNING_TYPES } from '../core/learning.ts';

const many: FlagValue = { many: true, is: 'list', preset: [] };

/** For `<name>`, and not `<id>`, for which completion offers tasks. */
const offers: VerbShape['offers'] = async (ws) => {
  const { learnings, candidates } = (await import('../engine/store.ts')).readMemory(ws);
  return [...learnings, ...candidates].map(({ id }) => id);
};

export const MEMORY: JoiningVerb = {
  name: 'memory',
  after: 'search',
  group: 'Look after',
  summary: 'what earlier work taught: find, add, show, accept, feedback, forget, dedupe',
  example:
    'contracts memory find "validate a form"\ncontracts memory show\ncontracts memory accept --all',
  onlyBelow: true,
  below: {
    find: {
      summary: 'the learnings that fit these words, the best first, with the reason',
      effect: 'reads',
      arguments: [['<words...>', 'what a task is about']],
      flags: [['-n, --limit <n>', 'show at most so many', { is: 'whole', preset: 10 }]],
      example: 'contracts memory find "upload large files"',
    },
    add: {
      summary: 'keep a learning',
      effect: 'decides',
      arguments: [['<text...>', 'one or a few sentences']],
      flags: [
        ['--type <type>', LEARNING_TYPES.join(', '), { offers: LEARNING_TYPES }],
        ['--entity <kind:name>', 'what it is about, such as library:zod', many],
        ['--tag <tag>', 'may be repeated, or with commas', many],
        ['--confidence <n>', 'from 0 to 1', { is: 'number' }],
        ['--by <agent>', 'who says it, if not you: kept as what its result taught'],
      ],
      example: 'contracts memory add "Use Zod, not io-ts" --type preference --entity library:zod',
    },
    show: {
      summary: 'one learning, or all and the candidates that wait for you',
      effect: 'reads',
      arguments: [['[name]', 'the name of its file; default: all']],
      example: 'contracts memory show\ncontracts memory show use-zod-not-io-ts',
      offers,
    },
    accept: {
      summary: 'candidates become learnings that briefs show',
      effect: 'decides',
      arguments: [['[name...]', 'the names of their files']],
      flags: [
        ['--all', 'every candidate'],
        [
          '--type <type>',
          'what they are; default: what their files say',
          { offers: LEARNING_TYPES },
        ],
      ],
      example: 'contracts memory accept use-zod-not-io-ts --type preference',
      offers,
    },
    feedback: {
      summary: 'say whether a learning was right: it comes earlier or later from then on',
      effect: 'decides',
      arguments: [
        ['<name>', 'the name of its file'],
        ['<how>', 'right or wrong', ['right', 'wrong']],
      ],
      example: 'contracts memory feedback use-zod-not-io-ts right',
      offers,
    },
    forget: {
      summary: 'delete learnings or candidates',
      effect: 'decides',
      arguments: [['<name...>', 'the names of their files']],
      example: 'contracts memory forget use-zod-not-io-ts',
      offers,
    },
    dedupe: {
      summary: 'merge learnings that say the same, and show those that may contradict each other',
      effect: 'decides',
      flags: [['-n, --dry-run', 'show what it would merge, and write nothing']],
      example: 'contracts memory dedupe --dry-run',
    },
  },
  load: () => import('./memory.ts'),
};
