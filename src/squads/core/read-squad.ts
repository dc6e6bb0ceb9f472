/**
 * A squad as data, once its SQUAD.yaml and the agents in its folder were read. Pure: whoever reads the
 * files hands over what stood in them. What is wrong with one category, check or default is a note, and
 * the rest holds.
 */
import { CONTRACT_TYPES } from '../../task/core/model/contract-shape.ts';
import { articlesIn } from './constitution.ts';
import { LIMIT_KEYS, type Squad, type SquadLimits } from './squad.ts';
import { squadOwnSchema, type SquadOwn } from './squad-schema.ts';
import { unknownKeys, type HeadNote } from '../../agents/core/agent-head.ts';

type Head = Readonly<Record<string, unknown>>;

type Found = 'name' | 'source' | 'file' | 'folder' | 'agents' | 'skills' | 'categories' | 'checks';
export interface SquadParts extends Pick<Squad, Found> {
  readonly own: SquadOwn;
  /** They are a list: without a default_executor, the first who is neither chief nor reviewer is it. */
  readonly listed: boolean;
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
  const { own, listed, ...found } = parts;
  const { agents } = found;
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
  const executor = member('default_executor') ?? (listed ? able?.name : undefined);
  const { plan_type, plan_template, checkpoint_mode, quality_gates, story_driven, verification } =
    own;
  const squad: Squad = {
    ...found,
    description: (own.description ?? '').replace(/\s+/g, ' ').trim(),
    version: own.version === undefined ? undefined : String(own.version),
    tags: listOf(own.tags),
    chief,
    default_executor: executor,
    default_reviewer: reviewer,
    contract_type: contractType(own.contract_type, notes),
    plan_type,
    plan_template,
    checkpoint_mode,
    quality_gates,
    story_driven,
    verification: typeof verification === 'string' ? verification : verification.type,
    articles: articlesIn(own, own.articles),
    limits: limitsOf(own),
  };
  return { squad, notes };
}

/** Top-level keys that nobody knows: kept in the file, and told. */
export function unknownSquadKeys(head: Head): HeadNote[] {
  const known = [...Object.keys(squadOwnSchema().shape), 'agents', 'categories', 'checks'];
  const message = 'an unknown key, kept and not used';
  return unknownKeys(head, known, KNOWN_ELSEWHERE, message).map(({ note }) => note);
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
