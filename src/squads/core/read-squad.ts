/** Builds a squad from its parts. One that is wrong gives a note, and the rest holds. */
import { CONTRACT_TYPES } from '../../task/core/model/contract-shape.ts';
import { articlesIn } from './constitution.ts';
import type { Squad } from './squad.ts';
import { squadOwnSchema, type SquadOwn } from './squad-schema.ts';
import { unknownKeys } from '../../agents/core/agent-head.ts';
import type { HeadNote } from '../../agents/core/head-permissions.ts';

type Head = Readonly<Record<string, unknown>>;

type Found =
  | ('name' | 'source' | 'file' | 'folder' | 'base')
  | ('agents' | 'skills' | 'categories' | 'checks');
export interface SquadParts extends Pick<Squad, Found> {
  readonly own: SquadOwn;
  /** `agents:` is a list: the first that is neither chief nor reviewer is the default executor. */
  readonly listed: boolean;
}

/** Keys of other tools. */
const KNOWN_ELSEWHERE: ReadonlySet<string> = new Set(
  'author license config dependencies kord aios slashPrefix short-title type components'.split(' '),
);

export type ReportNote = (note: HeadNote) => void;

export function squadOf({ own, listed, ...found }: SquadParts, report: ReportNote): Squad {
  if (own.name !== undefined && own.name !== found.name) {
    report({
      key: 'name',
      message: 'the name of a squad must be the name of its folder',
      found: own.name,
      fix: `Rename the folder, or write name: ${found.name}`,
    });
  }
  const { agents } = found;
  const chief = own.chief ?? agents.find(({ is_chief }) => is_chief)?.name;
  const able = agents.find(
    ({ name, is_chief }) => !is_chief && name !== chief && name !== own.default_reviewer,
  );
  return {
    ...own,
    ...found,
    chief,
    default_executor: own.default_executor ?? (listed ? able?.name : undefined),
    contract_type: contractType(own.contract_type, report),
    articles: articlesIn(own, own.articles),
  };
}

export function unknownSquadKeys(head: Head): HeadNote[] {
  const known = [...Object.keys(squadOwnSchema().shape), 'agents', 'categories', 'checks'];
  const message = 'an unknown key: kept, but not used';
  return unknownKeys(head, known, KNOWN_ELSEWHERE, message).map(({ note }) => note);
}

function contractType(written: string | undefined, report: ReportNote): Squad['contract_type'] {
  if (written === undefined) return 'task';
  const word = written.trim().toLowerCase().replaceAll('_', '-');
  const known = CONTRACT_TYPES.find((type) => type === word);
  if (known !== undefined) return known;
  report({
    key: 'contract_type',
    message: 'an unknown contract type: custom is used',
    found: written,
    fix: `Write one of ${CONTRACT_TYPES.join(', ')}`,
  });
  return 'custom';
}
