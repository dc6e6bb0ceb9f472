/**
 * A squad as data, once its SQUAD.yaml and the agents in its folder were read. Pure: whoever reads the
 * files hands over what stood in them. What is wrong with one category, check or default is a note, and
 * the rest holds.
 */
import { CONTRACT_TYPES } from '../core/contract-shape.ts';
import { articlesIn } from '../core/constitution.ts';
import { nearestId } from '../core/nearest.ts';
import {
  LIMIT_KEYS,
  type Squad,
  type SquadAgent,
  type SquadCategory,
  type SquadLimits,
} from '../core/squad.ts';
import { squadOwnSchema, type SquadOwn } from '../core/squad-shape.ts';
import type { HeadNote } from './agent-head.ts';

type Head = Readonly<Record<string, unknown>>;

export interface SquadParts {
  readonly name: string;
  readonly source: Squad['source'];
  readonly file: string;
  readonly folder: string;
  readonly own: SquadOwn;
  readonly agents: readonly SquadAgent[];
  /** They are a list: without a default_executor, the first who is neither chief nor reviewer is it. */
  readonly listed: boolean;
  readonly skills: readonly string[];
  readonly categories: ReadonlyMap<string, SquadCategory>;
  readonly checks: ReadonlyMap<string, readonly string[]>;
}

export interface SquadRead {
  readonly squad: Squad;
  readonly notes: readonly HeadNote[];
}

/** Of other tools: they say nothing here. */
const KNOWN_ELSEWHERE: ReadonlySet<string> = new Set(
  'author license config dependencies kord aios slashPrefix short-title type components'.split(' '),
);

export function squadOf(parts: SquadParts): SquadRead {
  const { own, agents } = parts;
  const notes: HeadNote[] = [];
  if (own.name !== undefined && own.name !== parts.name) {
    notes.push({
      key: 'name',
      message: 'a squad is called as its folder is, and this is another name',
      found: own.name,
      fix: `Rename the folder, or write name: ${parts.name}`,
    });
  }
  const member = (key: 'default_executor' | 'default_reviewer' | 'chief'): string | undefined => {
    const said = own[key]?.trim().replace(/^@/, '');
    return said === undefined || said === '' ? undefined : said;
  };
  const chief = member('chief') ?? agents.find(({ is_chief }) => is_chief)?.name;
  const reviewer = member('default_reviewer');
  const able = agents.find(
    ({ name, is_chief }) => !is_chief && name !== chief && name !== reviewer,
  );
  const executor = member('default_executor') ?? (parts.listed ? able?.name : undefined);
  const { plan_type, plan_template, checkpoint_mode, quality_gates, story_driven, verification } =
    own;
  const { name, source, file, folder, categories, checks, skills } = parts;
  const squad: Squad = {
    name,
    description: (own.description ?? '').replace(/\s+/g, ' ').trim(),
    version: own.version === undefined ? undefined : String(own.version),
    source,
    file,
    folder,
    tags: listOf(own.tags),
    agents,
    chief,
    categories,
    default_executor: executor,
    default_reviewer: reviewer,
    contract_type: contractType(own.contract_type, notes),
    plan_type,
    plan_template,
    checkpoint_mode,
    quality_gates,
    story_driven,
    verification: typeof verification === 'string' ? verification : verification.type,
    checks,
    skills,
    articles: articlesIn(own, own.articles),
    limits: limitsOf(own),
  };
  return { squad, notes };
}

/** Top-level keys that nobody knows: kept in the file, and told. */
export function unknownSquadKeys(head: Head): HeadNote[] {
  const known = [...Object.keys(squadOwnSchema().shape), 'agents', 'categories', 'checks'];
  return Object.keys(head)
    .filter((key) => !known.includes(key) && !KNOWN_ELSEWHERE.has(key))
    .map((key) => {
      const near = nearestId(key, known);
      const fix = near === undefined ? 'Remove it when it is a mistake' : `Did you mean ${near}?`;
      return { key, message: 'an unknown key, kept and not used', found: key, fix };
    });
}

function contractType(said: string | undefined, notes: HeadNote[]): Squad['contract_type'] {
  if (said === undefined) return 'task';
  const word = said.trim().toLowerCase().replaceAll('_', '-');
  const known = CONTRACT_TYPES.find((type) => type === word);
  if (known !== undefined) return known;
  notes.push({
    key: 'contract_type',
    message: 'a type of contract that is not known: custom is taken',
    found: said,
    fix: `Write one of ${CONTRACT_TYPES.join(', ')}`,
  });
  return 'custom';
}

export function limitsOf(own: SquadOwn): SquadLimits {
  return Object.fromEntries(
    LIMIT_KEYS.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])),
  );
}

/** A list, or one. */
export function listOf(value: unknown): readonly string[] {
  const given = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return given
    .filter((one): one is string => typeof one === 'string')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
