/** memory: learnings to stdout, a line each with the reason below it; what was done with one, a line each. */
import { given } from '../../task/core/base/defined-fields.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from '../../cli/output/colour.ts';
import { dataOf } from '../../cli/output/output.ts';
import { screenOf, wrap } from '../../cli/output/text-width.ts';
import { refuseUse, verb, type Verb } from '../../cli/terminal/verb-context.ts';
import {
  isByPerson,
  isDoubted,
  isLearningType,
  isOfPersons,
  LEARNING_TYPES,
  type Kept,
  type LearningType,
} from '../core/learning.ts';
import type { lines } from '../core/memory-lines.ts';
import { contradicting, pairsIn } from '../core/similar.ts';
import { weightOf, weightWords, type TaskNames } from '../core/weight.ts';
import { isPerson, PERSON } from '../../task/core/model/contract.ts';
import { CANDIDATES } from '../engine/folder.ts';
import { CHARS_MAX, cut } from '../text/harvest.ts';
import { recall, weigh, type Recalled } from '../engine/recall.ts';
import {
  acceptCandidate,
  changeLearning,
  forgetLearning,
  keepLearning,
  mergeLearnings,
  namesOf,
  readMemory,
  type Memory,
} from '../engine/store.ts';

const memoryData = dataOf<typeof lines>();

const TYPES = LEARNING_TYPES.join(', ');

function show(verb: Verb, kept: Kept, memory: Listed, found?: Recalled): void {
  const { out, frame } = verb;
  const candidate = memory.candidates.includes(kept);
  const one = found?.learning ?? weigh(verb.ws, kept);
  const against = contradicting(one, memory.learnings);
  const more = given({
    score: found?.score,
    why: found && [...found.why],
    contradicts: against && [against.id],
  });
  const weight = weightOf(kept, memory.names);
  memoryData(out, { v: 1, event: 'learning', ...plain(one), candidate, ...weight, ...more });
  const { limit } = screenOf(frame.streams);
  const marks = `${isDoubted(one) ? ', verify it' : ''}${candidate ? ', candidate' : ''}`;
  out.print(`${pc.bold(escapeText(one.id))}  ${one.type}, ${one.confidence}${marks}`);
  for (const line of wrap(`  ${escapeText(oneLine(one.information))}`, limit, 2)) out.print(line);
  const facts = [
    found && found.why.length > 0 ? `because of ${found.why.slice(0, 6).join(', ')}` : '',
    against === undefined ? '' : `may contradict ${against.id}`,
    one.source.length === 0 ? '' : `from ${one.source.slice(0, 5).join(', ')}`,
    weightWords(weight),
    one.from.startsWith('from') ? '' : one.from || 'in no brief: its tasks are not done',
  ].filter(Boolean);
  for (const line of wrap(`  ${escapeText(facts.join('; '))}`, limit, 2)) {
    if (facts.length > 0) out.print(pc.dim(line));
  }
}

function plain({ entities, tags, source, uses, returned, ...one }: Recalled['learning']) {
  const about = { entities: [...entities], tags: [...tags], source: [...source] };
  return { ...one, ...about, uses: [...uses], returned: [...returned] };
}

type Action = 'added' | 'merged' | 'accepted' | 'rated' | 'forgotten';

function did({ out }: Verb, { id, file }: Kept, action: Action, into?: string): void {
  memoryData(out, { v: 1, event: 'memory_changed', id, file, action, ...given({ into }) });
  out.print(escapeText(`${id}: ${action}${into === undefined ? '' : ` into ${into}`}`));
}

/** By its name, or by its place where several have that name: `preference/use-zod`. */
export function named(
  verb: Verb,
  memory: Memory,
  id: string,
  among: readonly Kept[] = [...memory.learnings, ...memory.candidates],
): Kept {
  const [name = '', folder] = id.replace(/\.md$/, '').split('/').toReversed();
  const isIn = ({ file }: Kept): boolean => folder === undefined || file.includes(`/${folder}/`);
  const found = among.filter((other) => other.id === name && isIn(other));
  const [one] = found;
  const known = among.map((other) => other.id);
  const broken = memory.problems.find(({ file }) => file.endsWith(`/${name}.md`));
  const fix = broken
    ? `${broken.file} cannot be read: correct or delete it`
    : `${didYouMean(name, known)}See contracts memory show`;
  if (one === undefined) refuseUse(verb, 'there is no such learning', fix, id);
  if (found.length === 1) return one;
  const places = found.map(({ file }) => file.split('/').slice(-2).join('/').replace(/\.md$/, ''));
  return refuseUse(verb, 'several learnings have this name', `Write ${places.join(' or ')}`, id);
}

function typed(verb: Verb, type: string | undefined): LearningType | undefined {
  const word = type?.replaceAll('-', '_');
  if (word === undefined || isLearningType(word)) return word;
  return refuseUse(verb, `--type takes ${TYPES}`, 'Write --type preference', type);
}

type Listed = Memory & { readonly names: TaskNames };

/** Problems of files that could not be read, so that nothing is missing in silence. */
function read(verb: Verb): Listed {
  const memory = readMemory(verb.ws);
  if (!verb.out.json) for (const one of memory.problems) verb.out.problem(one);
  return { ...memory, names: namesOf(verb.ws) };
}

interface Adding {
  readonly type: string;
  readonly entity: readonly string[];
  readonly tag: readonly string[];
  readonly confidence?: number;
  readonly by?: string;
}

/** The person, or an agent: never a task, whose done work would vouch for it. */
function sayer(verb: Verb, by: string | undefined): string {
  if (by === undefined) return PERSON;
  const name = oneLine(by);
  if (name === '' || isPerson(name.normalize('NFKC')))
    refuseUse(verb, 'a person says it without --by', 'Leave it out');
  return `agent ${name}`;
}

/** Confidence of what a person says, and of what an agent does where it names none. */
const [SURE, UNSURE] = [0.9, 0.7];

export const runs = {
  'memory find': verb((verb, { limit }: { limit: number }, words: readonly string[]) => {
    const memory = read(verb);
    const found = recall(verb.ws, words.join(' '), memory).slice(0, limit);
    for (const one of found) show(verb, one.learning, memory, one);
    if (found.length === 0) verb.out.printWrapped('No learning fits these words.');
  }),
  'memory show': verb((verb, _flags: unknown, id?: string) => {
    const memory = read(verb);
    if (id !== undefined) return show(verb, named(verb, memory, id), memory);
    for (const one of [...memory.learnings, ...memory.candidates]) show(verb, one, memory);
    if (memory.candidates.length > 0)
      verb.out.printWrapped('Candidates count once you accept them: contracts memory accept --all');
    else if (memory.learnings.length === 0)
      verb.out.printWrapped('No learning is kept yet. Keep one: contracts memory add "…"');
    return undefined;
  }),
  'memory add': verb((verb, flags: Adding, words: readonly string[]) => {
    const { entity: entities, tag: tags } = flags;
    const by = sayer(verb, flags.by);
    const { confidence = by === PERSON ? SURE : UNSURE } = flags;
    const type = typed(verb, flags.type) ?? (by === PERSON ? 'preference' : 'insight');
    const wrong = entities.find((one) => !/^[\w-]+:\S+$/.test(one));
    if (wrong !== undefined)
      refuseUse(verb, '--entity takes kind:name', 'Write --entity library:zod', wrong);
    if (!(confidence >= 0 && confidence <= 1))
      refuseUse(verb, '--confidence is from 0 to 1', 'Write --confidence 0.8', `${confidence}`);
    const said = oneLine(words.join(' '));
    if (said.length > CHARS_MAX)
      refuseUse(verb, `a learning has at most ${CHARS_MAX} characters`, 'Say it in fewer words');
    const information = cut(said);
    if (information === '')
      refuseUse(verb, 'a learning needs words', 'Write what is to be remembered');
    const created = verb.ws.machine.now().toISOString();
    const learning = { type, information, entities, tags, confidence, source: [by], created };
    // As of a result: what an agent calls a person's waits for one.
    const place = by !== PERSON && isOfPersons(type) ? CANDIDATES : type;
    const { kept, how } = keepLearning(verb.ws, read(verb), learning, place);
    did(verb, kept, how === 'new' ? 'added' : 'merged', how === 'new' ? undefined : kept.id);
  }),
  'memory accept': verb((verb, flags: { all?: boolean; type?: string }, ids: string[] = []) => {
    const memory = read(verb);
    const { all = false } = flags;
    const type = typed(verb, flags.type);
    if (ids.length === 0 && !all)
      refuseUse(verb, 'no candidate is named', 'Name one, or write --all');
    const { candidates } = memory;
    const wanted = all ? candidates : ids.map((id) => named(verb, memory, id, candidates));
    if (wanted.length === 0) verb.out.printWrapped('No candidate waits.');
    for (const one of wanted) {
      const accepted = acceptCandidate(verb.ws, one, type ?? one.type);
      if (accepted === undefined)
        refuseUse(verb, 'a learning of this name is there', `Rename ${one.file}`, one.id);
      did(verb, accepted, 'accepted');
    }
  }),
  'memory feedback': verb((verb, _flags: unknown, id: string, how: string) => {
    const one = named(verb, read(verb), id);
    const by = how === 'right' ? 1 : -1;
    const message = 'the file changed at the same time, or is no text';
    if (!changeLearning(verb.ws, one, ({ feedback }) => ({ feedback: feedback + by })))
      refuseUse(verb, message, 'Run it again', one.file);
    did(verb, one, 'rated');
  }),
  'memory forget': verb((verb, _flags: unknown, ids: readonly string[]) => {
    const memory = read(verb);
    for (const one of ids.map((id) => named(verb, memory, id))) {
      forgetLearning(verb.ws, one);
      did(verb, one, 'forgotten');
    }
  }),
  'memory dedupe': verb((verb, { dryRun = false }: { dryRun?: boolean }) => {
    const memory = read(verb);
    const gone = new Set<Kept>();
    // What a person said, or called right, takes the others in, and not the other way round.
    const weight = (one: Kept): number => +(one.feedback > 0) + 2 * +isByPerson(one);
    const all = memory.learnings.toSorted((a, b) => weight(b) - weight(a));
    for (const { one, other, likeness } of pairsIn(all)) {
      if (gone.has(one) || gone.has(other)) continue;
      if (likeness !== 'same') {
        const isClose = likeness === 'close';
        const words = `${isClose ? 'is close to' : 'may contradict'} ${other.id}; read both`;
        verb.out.print(escapeText(`${one.id}: ${words}${isClose ? '' : ', forget the wrong one'}`));
        continue;
      }
      if (!dryRun && !mergeLearnings(verb.ws, one, other)) continue;
      gone.add(other);
      did(verb, other, 'merged', one.id);
    }
  }),
};
