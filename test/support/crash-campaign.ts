/**
 * Which faults a story is played with, and what each must come to: lists of lives from the trace of
 * a run without faults. The nightly campaign takes all of them, the default run a part.
 */
import { essentials, violations } from './crash-checks.ts';
import { play, type Life, type Played } from './crash-play.ts';
import type { Story } from './crash-tree.ts';
import { CHANGES, type FaultKind, type Trace } from './faulty-disk.ts';

export const ERRNOS = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EMFILE'] as const;

export interface Clean {
  readonly story: Story;
  readonly trace: readonly Trace[];
  readonly calls: number;
  readonly wanted: Readonly<Record<string, unknown>>;
  /** What is wrong already without any fault: a story that does not end as it says. */
  readonly wrong: readonly string[];
}

export async function cleanRun(story: Story, files?: readonly string[]): Promise<Clean> {
  const played = await play(story);
  const wanted = essentials(story, played, files);
  const clean = {
    story,
    trace: played.disks[0]?.trace ?? [],
    calls: played.calls.length,
    wanted,
    wrong: [...violations(story, played, wanted, [], files), ...wrongEnds(story, played)],
  };
  played.world.remove();
  return clean;
}

function wrongEnds(story: Story, played: Played): string[] {
  const ends = played.states.at(-1) ?? {};
  return Object.entries(story.ends).flatMap(([id, state]) =>
    ends[id] === state ? [] : [`${id} is in ${ends[id] ?? 'nothing'}, not in ${state}`],
  );
}

/** Plays with these faults; each sentence names what went wrong and after which faults. */
export async function playThrough(clean: Clean, lives: readonly Life[]): Promise<string[]> {
  const { story } = clean;
  const where = lives
    .map((life, i) => describeLife(life, i === 0 ? clean.trace : []))
    .join(', then ');
  let played: Played;
  try {
    played = await play(story, { lives });
  } catch (error) {
    return [
      `${where}: threw ${error instanceof Error ? (error.stack ?? error.message) : 'something'}`,
    ];
  }
  const wrong = [...violations(story, played, clean.wanted, lives)];
  const [first] = lives;
  if (lives.length === 1 && first !== undefined && 'at' in first && first.fault.kind === 'errno') {
    wrong.push(...silentOrSpread(clean, played, first));
  }
  played.world.remove();
  return wrong.map((one) => `${where}: ${one}`);
}

/** An errno is told, unless it did no harm; and it holds up no other task. */
function silentOrSpread(
  clean: Clean,
  played: Played,
  life: Extract<Life, { at: number }>,
): string[] {
  const { story, trace } = clean;
  const stood = played.states[0] ?? {};
  const ended = Object.entries(story.ends).every(([id, state]) => stood[id] === state);
  const wrong: string[] = [];
  const told = played.events[0]?.some((event) => event.event === 'fault') ?? false;
  if (!told && !ended) wrong.push('the fault was not told');
  if (life.stubborn === true && !ended) wrong.push('the same process did not go on afterwards');
  const met = trace[life.at];
  const once = life.fault.kind === 'errno' && !life.fault.for_good;
  // What waits for another one does not go on without it, and a parent waits for its children.
  const depends =
    Object.keys(story.ends).some((id) => !(id in story.tasks)) ||
    Object.values(story.tasks).some((text) => text.includes('depends_on'));
  if (!once || met === undefined || depends) return wrong;
  const hit = Object.keys(story.tasks).filter((id) => new RegExp(`/${id}\\b`).test(met.path));
  if (hit.length !== 1) return wrong;
  for (const [id, state] of Object.entries(story.ends)) {
    if (id !== hit[0] && stood[id] !== state) wrong.push(`${id} did not go on: ${stood[id]}`);
  }
  return wrong;
}

function describeLife(life: Life, trace: readonly Trace[]): string {
  if (!('at' in life)) return `killed with its agent in call ${life.kill_in_call}`;
  const { at, fault } = life;
  const met = trace[at];
  const kind =
    fault.kind === 'errno' ? `${fault.code}${fault.for_good ? ' for good' : ''}` : fault.kind;
  return `${kind} at ${at}${met === undefined ? '' : ` (${met.operation} ${shape(met, true)})`}`;
}

/** The place of an operation without what differs from run to run. */
export function shape({ operation, path, to }: Trace, numbers = false): string {
  const cut = (text: string): string => {
    const bare = text
      .replace(/^.*?\/(active_tasks|\.contracts)\//, '')
      .replace(/\.(tmp|new)-\w+/g, '.$1');
    return numbers ? bare : bare.replace(/\d{4,}/g, 'N');
  };
  return `${operation} ${cut(path)}${to === undefined ? '' : ` -> ${cut(to)}`}`;
}

const DEATHS: readonly FaultKind[] = [{ kind: 'die_before' }, { kind: 'die_after' }];
const TORN: FaultKind = { kind: 'die_torn' };

/** A death before and after every operation, and in the middle of every write. */
export function deaths(trace: readonly Trace[]): Life[] {
  return trace.flatMap((met, at) => {
    const kinds = met.operation === 'create' ? [...DEATHS, TORN] : DEATHS;
    return kinds.map((fault): Life => ({ at, fault }));
  });
}

/** Only those that can leave another disk behind than their neighbours. */
export function tellingDeaths(trace: readonly Trace[]): Life[] {
  return deaths(trace).filter((life) => {
    if (!('at' in life)) return true;
    return CHANGES.has(trace[life.at]?.operation ?? 'stat');
  });
}

/**
 * Every errno once and for good at every change; at a read, where nothing tells these codes apart,
 * one of them in turn.
 */
export function errnos(trace: readonly Trace[]): Life[] {
  return trace.flatMap((met, at) =>
    ERRNOS.filter((_, i) => CHANGES.has(met.operation) || at % ERRNOS.length === i).flatMap(
      (code, i) =>
        [false, true].map((for_good): Life => {
          const fault: FaultKind = { kind: 'errno', code, for_good };
          return { at, fault, stubborn: !for_good && (at + i) % 2 === 0 };
        }),
    ),
  );
}

/** The last rename of each shape: what moves, is published, is committed. */
export function lastOfEachRename(trace: readonly Trace[]): number[] {
  const last = new Map<string, number>();
  for (const [at, met] of trace.entries()) {
    if (met.operation === 'rename') last.set(shape(met), at);
  }
  return [...last.values()];
}

/** Every nth, beginning at the offset: parts that differ from story to story. */
/** The operations of the process that recovers from these faults. */
export async function recoveryTrace(
  story: Story,
  lives: readonly Life[],
): Promise<readonly Trace[]> {
  const played = await play(story, { lives });
  played.world.remove();
  return played.disks.at(-1)?.trace ?? [];
}
