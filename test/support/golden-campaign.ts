/**
 * Which golden cases are played with faults, with which, and what each must come to: the end of the
 * case without the fault, nothing lost, nobody called twice. A case that cannot be played in one
 * process is in NOT_PLAYED with its reason.
 */
import { differences, leftOvers, lostWords, repeatedCalls } from './crash-checks.ts';
import type { Life } from './crash-play.ts';
import { deaths, errnos, shape, tellingDeaths } from './crash-campaign.ts';
import type { Case } from './golden-case.ts';
import { playCase, type PlayedCase, type Strike } from './golden-crash.ts';
import type { ScriptedCall } from './scripted-room.ts';

const MOVED = 'its agent waits for what others do meanwhile, and here nothing runs beside an agent';
const TIMES = 'its program ends by a time-out, which every play would wait for';

export const NOT_PLAYED: Readonly<Record<string, string>> = {
  '015-timeout': TIMES,
  '213-check-times-out': TIMES,
  '214-result-edited-in-review':
    'its person moves the folder from where the whole command left it; struck, it stands elsewhere',
  '400-running-moved-to-aborted': MOVED,
  '401-running-moved-to-ready': MOVED,
  '402-running-moved-to-done': MOVED,
  '411-abort-verb-while-it-runs': 'a second process acts while the first one runs',
  '419-moved-during-review': MOVED,
  '420-moved-to-blocked-while-it-runs': MOVED,
  '422-folder-removed-while-it-runs': MOVED,
  '425-status-edited-while-it-runs': MOVED,
  '427-folder-removed-during-own-checks':
    'its own check takes the folder away: what lies there depends on how far the dead runner came',
  '432-tasks-in-another-folder':
    'what is read here of tasks is below active_tasks/, and its tasks are elsewhere',
  '621-a-forged-learning-is-noticed': MOVED,
  '798-parent-aborted-while-a-child-runs': 'a second process acts while the first one runs',
  '799-chief-aborted-while-it-runs': 'a second process acts while the first one runs',
  '806-broken-settings': 'no command opens the workspace, so none comes to its disk',
  '823-resolutions-that-are-ignored':
    'its person edits a contract between two steps; where the first is struck, the decision comes before the edit',
  '851-documents-placed-beside-an-agent': MOVED,
  '879-ledger-while-agents-work': MOVED,
  '936-stalled': MOVED,
  '1002-who-keeps-status': MOVED,
};

/** Where it depends on the death how often somebody is called; all else must be the same. */
const CALLED_BY_CHANCE: Readonly<Record<string, string>> = {
  '903-nobody-logged-in':
    'a login that is missing is no try of the task, so each step tries it again: one more after a death',
};

/** Where it depends on the fault who writes a file last, or how often; all else must be the same. */
const WRITTEN_BY_TURNS: Readonly<Record<string, string>> = {
  '352-checks-before-the-first-call':
    'its check counts how often it runs, and after a death a check runs once more',
  '511-overlapping-deliverables':
    'two tasks write one file, one after the other: where the first meets a fault, the other goes first',
};

export const cleanCase = (one: Case): Promise<PlayedCase> => playCase(one);

function strikes(clean: PlayedCase, choose: (trace: PlayedCase['disks'][0]['trace']) => Life[]) {
  return clean.disks.flatMap(({ trace }, command) =>
    choose(trace).flatMap((life): Strike[] =>
      'at' in life ? [{ command, at: life.at, fault: life.fault }] : [],
    ),
  );
}

/** `all`: also those after which the disk is as after their neighbours. */
export function deathsOf(clean: PlayedCase, all: boolean): Strike[] {
  return strikes(clean, all ? deaths : tellingDeaths);
}

export const errnosOf = (clean: PlayedCase): Strike[] => strikes(clean, errnos);

/** Everything that is wrong, each with its fault; empty when all holds. */
export async function playStruck(one: Case, clean: PlayedCase, strike: Strike): Promise<string[]> {
  const where = `${one.name}, ${describeStrike(clean, strike)}`;
  let played: PlayedCase;
  try {
    played = await playCase(one, clean, strike);
  } catch (error) {
    return [`${where}: threw ${error instanceof Error ? error.stack : String(error)}`];
  }
  const wrong = violations(one, clean, played, strike);
  played.remove();
  return wrong.map((sentence) => `${where}: ${sentence}`);
}

function violations(one: Case, clean: PlayedCase, played: PlayedCase, strike: Strike): string[] {
  const [is, wanted] = [played.stands.at(-1), clean.stands.at(-1)];
  if (is === undefined || wanted === undefined) return ['there is no end'];
  // Where a person put questions.md there, that word is right; only new ones are wrong.
  const leftByPeople = new Set(leftOvers(clean.root, []).map(withoutPath));
  // What people of the case destroy is lost without a fault, too.
  const lostByPeople = new Set(lostWords(clean.root, clean.ledger.written));
  const ids = [...new Set([...Object.keys(is.tasks), ...Object.keys(wanted.tasks)])];
  return [
    ...ids.flatMap((id) => differences(id, is.tasks[id] ?? {}, wanted.tasks[id] ?? {})),
    ...(WRITTEN_BY_TURNS[one.name] === undefined
      ? differences('beside the tasks', is.beside, wanted.beside)
      : []),
    ...lostWords(played.root, played.ledger.written).filter((lost) => !lostByPeople.has(lost)),
    ...leftOvers(played.root, [strike]).filter((left) => !leftByPeople.has(withoutPath(left))),
    ...repeatedCalls({ calls: played.ledger.calls.filter(({ kind }) => kind !== 'check') }),
    ...(CALLED_BY_CHANCE[one.name] === undefined ? extraCalls(clean, played) : []),
    ...untold(played),
  ];
}

const withoutPath = (sentence: string): string => sentence.replace(/\d{4}(\.lost)?/, 'N');

/** Agents here always come to their end: there is never a reason to call one again. */
function extraCalls(clean: PlayedCase, played: PlayedCase): string[] {
  const is = counts(played.ledger.calls);
  const wanted = counts(clean.ledger.calls);
  return [...new Set([...is.keys(), ...wanted.keys()])].flatMap((key) =>
    is.get(key) === wanted.get(key)
      ? []
      : [`${key} was called ${is.get(key) ?? 0} times, not ${wanted.get(key) ?? 0}`],
  );
}

function counts(calls: readonly ScriptedCall[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { task, kind } of calls) {
    if (kind === 'check') continue;
    found.set(
      `the agent of ${task} (${kind})`,
      (found.get(`the agent of ${task} (${kind})`) ?? 0) + 1,
    );
  }
  return found;
}

/** A command that met an errno and lived says so, by its exit code, or did all that it had to do. */
function untold(played: PlayedCase): string[] {
  const { told } = played;
  if (told === undefined) return [];
  if (told.endsWith('exit 70')) return [`it was called a bug: ${told}`];
  return played.reached || told.endsWith('exit 3') ? [] : [`the fault was not told: ${told}`];
}

function describeStrike(clean: PlayedCase, { command, at, fault }: Strike): string {
  const met = clean.disks[command]?.trace[at];
  const kind =
    fault.kind === 'errno' ? `${fault.code}${fault.for_good ? ' for good' : ''}` : fault.kind;
  return `command ${command + 1}, ${kind} at ${at}${met === undefined ? '' : ` (${shape(met, true)})`}`;
}
