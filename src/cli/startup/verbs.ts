/** All verbs, with those of capabilities. Most built files have fewer in place of this (scripts/bundle.mjs). */
import type { VerbEffects } from '../../permissions/core/person-commands.ts';
import { capabilitiesIn } from '../../workspace/tasks/capability.ts';
import type {
  JoiningBelow,
  JoiningFlags,
  Line,
  VerbEntry,
  VerbGroup,
} from '../../workspace/tasks/verb.ts';
import { keyOf } from '../terminal/command-shape.ts';
import { HIDDEN, LOOK_AFTER, SEE, TOPICS } from './look-verbs.ts';
import { ANSWER, BEGIN, MOVE_ON } from './work-verbs.ts';

const SPECS: VerbGroup = {
  ...BEGIN,
  ...MOVE_ON,
  ...ANSWER,
  ...SEE,
  ...LOOK_AFTER,
  ...TOPICS,
  ...HIDDEN,
};

/** The groups of `help --all`, each in its order; verbs of capabilities join behind one of them. */
const GROUPS: Readonly<Record<string, string>> = {
  'Work:': 'init do new edit ask confirm run step watch wait retry abort undo',
  'Answer:': 'review answer approve needs-work reject note',
  'See:': 'status list show logs agents',
  'Many:': 'pause',
  'In and out:': 'merge archive',
  'Look after:': 'check doctor trust',
  'For hosts, scripts and shells:': 'delegate collect completion',
  '': Object.keys({ ...TOPICS, ...HIDDEN }).join(' '),
};

/** In the order of the help. */
export function verbsOf(capabilities: readonly object[]): readonly VerbEntry[] {
  const all = capabilitiesIn(capabilities);
  const joining = all.flatMap(({ verbs = [] }) => verbs);
  const flags = all.flatMap(({ flags = [] }) => flags);
  const below = all.flatMap(({ below = [] }) => below);
  return Object.entries(GROUPS).flatMap(([heading, names]) => {
    const own = names.split(' ').flatMap((name): VerbEntry[] => {
      const spec = SPECS[name];
      if (spec === undefined) return [];
      const behind = joining.filter((one) => one.after === name && one.group === undefined);
      return [{ ...spec, name }, ...behind].map((one) => whole(one, heading));
    });
    const more = joining.filter(({ group }) => `${group}:` === heading);
    return [...more.map((one) => whole(one, heading)), ...own];
  });
  function whole(verb: Named, heading: string): VerbEntry {
    const flagged = flags.filter(({ name }) => name === verb.name).reduce(withFlags, verb);
    return {
      ...below.filter(({ name }) => name === verb.name).reduce(withBelow, flagged),
      heading,
    };
  }
}

type Named = Omit<VerbEntry, 'heading'>;

function withFlags(verb: Named, { flags, example, load }: JoiningFlags): Named {
  const keys = flags.map(keyOf);
  const chosen = async (frame: never, line: Line): Promise<void> => {
    const given = line.flags as Readonly<Record<string, unknown>>;
    const isTheirs = keys.some((key) => given[key] !== undefined);
    const { runs } = await (isTheirs ? load() : verb.load());
    await runs[verb.name]?.(frame, line);
  };
  return {
    ...verb,
    flags: [...(verb.flags ?? []), ...flags],
    example: `${verb.example}\n${example}`,
    // What else is in its file stays: status runs by another name where no verb is typed.
    load: async () => ({ runs: { ...(await verb.load()).runs, [verb.name]: chosen } }),
  };
}

/** A verb below it is added, or does what is in another file where one of its flags is given. */
function withBelow(verb: Named, { inner, shape, load }: JoiningBelow): Named {
  const there = verb.below?.[inner];
  const name = `${verb.name} ${inner}`;
  const named = { ...shape, name, load };
  const { flags = [] } = shape;
  const joined = there
    ? withFlags({ ...there, name, load: verb.load }, { ...named, flags })
    : named;
  const { name: _, load: runsOf, ...rest } = joined;
  return {
    ...verb,
    below: { ...verb.below, [inner]: rest },
    load: async () => {
      const [{ runs }, own] = [await verb.load(), (await runsOf()).runs[name]];
      return { runs: own === undefined ? runs : { ...runs, [name]: own } };
    },
  };
}

/** The effect of each verb on a tree; command lines of agents are judged by it. */
export function effectsOf(capabilities: readonly object[]): VerbEffects {
  const all = verbsOf(capabilities).flatMap(({ name, effect, below = {} }) => [
    [name, effect] as const,
    ...Object.entries(below).map(([inner, { effect }]) => [`${name} ${inner}`, effect] as const),
  ]);
  return Object.fromEntries(all.flatMap(([name, effect]) => (effect ? [[name, effect]] : [])));
}
