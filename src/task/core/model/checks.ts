/**
 * Kinds of checks as data: all that reading, naming, judging and showing an entry of `verify:` asks of its kind.
 * How one is looked at is in `engine/verify`. A kind that lacks one of these facts does not compile.
 */

/** Values of fields: `headings` are a list with commas, a `glob` may be a path. `?`: it may be left out. */
export type Form = 'command' | 'glob' | 'path' | 'pattern' | 'headings' | 'name?' | 'path?';

interface Facts {
  /** Values in the order in which they are written. A `path` or `glob` names files that the check looks at. */
  readonly fields: Readonly<Record<string, Form>>;
  /** Says who finds out. A `program` runs what an agent wrote, in a sandbox: nothing else needs a mount. */
  readonly by: 'program' | 'runner' | 'gate' | 'capability';
  /** Says what a failure before the work is: `shown` to the agent, or what the work is `expected` to change. */
  readonly before: 'shown' | 'expected' | 'not looked at';
  /** Words in a criterion that names the check which say no more than that it holds. */
  readonly beside: readonly RegExp[];
}

const HOLDS =
  /^(?:an?|and|at|check|does|exists?|has|in|is|it|must|now|ok|place|present|that|the|there)$/;
const COMMAND =
  /^(?:all|commands?|exits?|0|green|pass|passes|passed|runs?|succeeds?|errors?|without|with)$/;
const FILE = /^(?:created|deliverable|file|made|on|written)$/;
const PASSES = /^pass(?:es|ed)?$/;
/** Facts that checks of the content of a file share. */
const INSIDE = { by: 'runner', before: 'shown', beside: [HOLDS, FILE, PASSES] } as const;

/** Kinds in the order in which they are listed. `named`: a name that a squad defines or a capability checks. */
const CHECKS = {
  run: { fields: { command: 'command' }, by: 'program', before: 'shown', beside: [HOLDS, COMMAND] },
  file_exists: {
    fields: { path: 'glob' },
    by: 'runner',
    before: 'expected',
    beside: [HOLDS, FILE],
  },
  checklist: { fields: { name: 'name?' }, by: 'gate', before: 'not looked at', beside: [] },
  matches: { fields: { path: 'path', pattern: 'pattern' }, ...INSIDE },
  template: { fields: { path: 'path', headings: 'path' }, ...INSIDE },
  // There is no result.md before the work.
  result: { fields: { headings: 'headings' }, ...INSIDE, before: 'not looked at' },
  json: { fields: { path: 'path', schema: 'path' }, ...INSIDE },
  named: { fields: { path: 'path?' }, ...INSIDE, by: 'capability' },
} as const satisfies Readonly<Record<string, Facts>>;

type Table = typeof CHECKS;
export type CheckKind = keyof Table;
type Optional<F> = { [N in keyof F]: F[N] extends `${string}?` ? N : never }[keyof F];
type Value<F> = F extends 'headings' ? readonly string[] : string;
type Fields<F> = { readonly [N in Exclude<keyof F, Optional<F>>]: Value<F[N]> } & {
  readonly [N in Optional<F>]?: string;
};

/** Values beside those of the fields: a name before it, the items of a squad's file, as people are shown it. */
interface More extends Readonly<Record<CheckKind, unknown>> {
  readonly checklist: { readonly file?: string; readonly items?: readonly string[] };
  readonly named: { readonly name: string };
}

export type Checks = {
  [K in CheckKind]: { readonly kind: K } & Fields<Table[K]['fields']> & More[K];
};
/** One verification, as data. */
export type Check = Checks[CheckKind];
type KindBy<By> = { [K in CheckKind]: Table[K] extends { by: By } ? K : never }[CheckKind];
export type CheckOf<By extends Facts['by']> = Checks[KindBy<By>];

const FACTS: Readonly<Record<CheckKind, Facts>> = CHECKS;
export const factsOf = ({ kind }: Pick<Check, 'kind'>): Facts => FACTS[kind];

export function isBy<By extends Facts['by']>(check: Check, by: By): check is CheckOf<By> {
  return factsOf(check).by === by;
}

/** Words of entries; any other is a name of a squad or a capability. */
export const CHECK_WORDS = (Object.keys(FACTS) as CheckKind[]).filter((kind) => kind !== 'named');

/** Words of checks that a gate judges, unless others prove their items: these need no value. */
export const ALONE = CHECK_WORDS.filter((kind) => FACTS[kind].by === 'gate');
/** Words that begin no prose, outside of `verify:` too: a command or a file follows. */
export const PLAIN_WORDS = CHECK_WORDS.filter((kind) =>
  /^(?:command|glob|path)$/.test(`${Object.values(FACTS[kind].fields)[0]}`),
);
/** Begins an entry that a gate judges. */
export const JUDGED = new RegExp(`^(?:${ALONE.join('|')})\\b`);

/** A deliverable as a check: its file is there. */
export const deliverableCheck = (path: string) => ({ kind: 'file_exists', path }) as const;
export const isDeliverable = (check: Check) => check.kind === 'file_exists';

function valuesOf(check: Check) {
  const given = check as Readonly<Record<string, string | readonly string[] | undefined>>;
  return Object.entries(factsOf(check).fields).flatMap(([name, form]) => {
    const { [name]: value } = given;
    return value === undefined ? [] : { form, value };
  });
}

/** The text by which a check is called in receipts, criteria and messages. */
export function checkName(check: Check): string {
  const values = valuesOf(check).map(({ form, value }) => {
    if (typeof value !== 'string') return value.join(', ');
    return form === 'pattern' ? `/${value}/` : value;
  });
  const word = check.kind === 'named' ? check.name : check.kind;
  return values.length === 0 ? word : `${word}: ${values.join(' ')}`;
}

/** The text that names what is judged: the command, the first file. */
export function subjectOf(check: Check): readonly string[] {
  const [first] = valuesOf(check);
  return typeof first?.value === 'string' ? [first.value] : [];
}

/** Files that the check looks at, the one that it judges first. */
export function pathsOf(check: Check): readonly string[] {
  return valuesOf(check).flatMap(({ form, value }) =>
    form === 'path' || form === 'glob' ? value : [],
  );
}
