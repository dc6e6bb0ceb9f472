/** What words of other tools mean here, as data: templates/exchange/words.yaml, and the file of `--map` before it. Pure. */
import { PRIORITIES } from '../../task/core/model/contract-shape.ts';

/** `parked`: put off there; `dropped`: given up there. */
const MEANINGS = ['open', 'working', 'review', 'parked', 'done', 'dropped'] as const;
export type Meaning = (typeof MEANINGS)[number];

const KINDS = {
  status: MEANINGS,
  priority: PRIORITIES,
  headings: ['criteria', 'later', 'checkpoint', 'objective', 'instructions', 'notes'],
} as const;
type Kind = keyof typeof KINDS;

/** By what they mean, the words; of agents by their words the names. */
export type WordData = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export type Words = ReturnType<typeof wordsOf>;

/** Without case, marks and emoji: `✅ COMPLETED` and `completed` are the same. */
export function plainWord(text: string): string {
  const words = text.normalize('NFKC').toLowerCase().replaceAll(/['’]/g, '');
  return words.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '';
}

const LEVEL = /^(?:priority|prio|p)\s*[:/-]\s*(.+)$/i;

/** The first table that has a word wins. */
export function wordsOf(tables: readonly WordData[]) {
  const finder = <K extends Kind>(kind: K) => {
    const found = new Map<string, (typeof KINDS)[K][number]>();
    for (const meaning of tables.toReversed().flatMap((table) => Object.entries(table[kind] ?? {})))
      for (const word of [meaning[0], ...(meaning[1] as string[])])
        found.set(plainWord(word), meaning[0] as never);
    return (word: string) => found.get(plainWord(word));
  };
  const priority = finder('priority');
  const agents = tables.map((table) => table['agents'] ?? {});
  return {
    meaning: finder('status'),
    /** Reads labels, too: `priority: high`, `prio/p1`. */
    priority: (word: string) => priority(LEVEL.exec(word)?.[1] ?? word),
    heading: finder('headings'),
    agent: (name: string): string =>
      String(agents.find((one) => Object.hasOwn(one, name))?.[name] ?? name),
  };
}

/** Why this is no table of words; undefined: it is one. */
export function wrongWords(data: Readonly<Record<string, unknown>>): string | undefined {
  const all = Object.entries(data).flatMap(([kind, table]) =>
    Object.entries(table ?? {}).map(([name, words]: [string, unknown]) => ({ kind, name, words })),
  );
  const isFitting = ({ kind, name, words }: (typeof all)[number]): boolean => {
    const known: readonly string[] | undefined = KINDS[kind as Kind];
    if (kind === 'agents') return typeof words === 'string';
    return (
      known?.includes(name) === true &&
      Array.isArray(words) &&
      words.every((one) => typeof one === 'string')
    );
  };
  const wrong = all.find((one) => !isFitting(one));
  return wrong && `${wrong.kind}.${wrong.name} is no list of words for one of ours`;
}
