/** The entries under `agents:`, a map or a list. One that is not understood is left out with a note. */
import { isFields } from '../../task/core/base/json.ts';
import { isAgentName } from '../../agents/core/places.ts';
import type { HeadNote } from '../../agents/core/head-permissions.ts';

export interface SquadEntry {
  readonly name: string;
  /** undefined: only a name. */
  readonly head: Readonly<Record<string, unknown>> | undefined;
  /** Its place in SQUAD.yaml. */
  readonly key: string;
}

export const MEMBERS_MAX = 200;

export function entriesOf(agents: unknown) {
  const entries: SquadEntry[] = [];
  const notes: HeadNote[] = [];
  const leaveOut = (key: string, message: string, found: unknown): void => {
    notes.push({ key, message, found: shortly(found), fix: SHAPE });
  };
  if (agents === undefined || agents === null) return { entries, notes };
  const given = Array.isArray(agents)
    ? agents.map((one, i) => [nameIn(one), headIn(one), `agents.${i}`] as const)
    : isFields(agents)
      ? Object.entries(agents).map(([name, head]) => [name, head, `agents.${name}`] as const)
      : undefined;
  if (given === undefined) {
    leaveOut('agents', 'agents is neither a map nor a list, so the squad has no agents', agents);
    return { entries, notes };
  }
  for (const [name, head, key] of given.slice(0, MEMBERS_MAX)) {
    if (name === undefined || !isMember(name)) {
      leaveOut(key, 'an agent with an invalid name is left out', name ?? head);
    } else if (entries.some((one) => one.name === name)) {
      leaveOut(key, 'an agent that is named twice: the first one counts', name);
    } else if (head !== null && head !== undefined && !isFields(head)) {
      leaveOut(key, 'an agent without settings is left out', head);
    } else {
      entries.push({ name, head: head ?? undefined, key });
    }
  }
  if (given.length > MEMBERS_MAX) {
    leaveOut('agents', `agents after the first ${MEMBERS_MAX} are left out`, given.length);
  }
  return { entries, notes };
}

const SHAPE = 'Write a map (copywriter: {description: …}) or a list of names';

/** Without groups. */
export function isMember(name: string): boolean {
  return isAgentName(name) && !name.includes('/') && name.length <= 64;
}

/** `- copywriter`, `- @copywriter`, or `- name: copywriter` with more below it. */
function nameIn(one: unknown): string | undefined {
  const name = isFields(one) ? one['name'] : one;
  return typeof name === 'string' ? name.trim().replace(/^@/, '') : undefined;
}

function headIn(one: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isFields(one)) return undefined;
  const { name: _, ...head } = one;
  return Object.keys(head).length === 0 ? undefined : head;
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
