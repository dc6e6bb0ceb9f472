/** What names under `verify` mean: those of the configuration first, then of the squad, then ours. */
import { ALONE, CHECK_WORDS, deliverableCheck } from '../../task/core/model/checks.ts';
import { isPerson } from '../../task/core/model/contract.ts';
import { nearest } from '../../task/core/base/nearest.ts';

/** Checks found in the project; undefined where none was found. */
export type Detected = (name: DetectedName) => readonly string[] | undefined;

const DETECTED = ['tests', 'lsp_build_test'] as const;
export type DetectedName = (typeof DETECTED)[number];
/** Judge the code of the project, whatever they are here. */
export const OF_CODE = /^(?:tests?|lsp[\s_-]build[\s_-]test)$/i;

const FILE = deliverableCheck('').kind;
const VALID = ['squad_valid', 'plan_valid'];
const ITSELF = [...ALONE, ...VALID];
const ALWAYS = [...DETECTED, ...ITSELF, 'report', FILE, 'reviewer', 'person'];

const MEANT: Readonly<Record<string, string>> = {
  test: 'tests',
  check_list: 'checklist',
  report_exists: 'report',
  file: FILE,
  files: FILE,
  files_exist: FILE,
  files_exists: FILE,
  review: 'reviewer',
  reviewers: 'reviewer',
};

export const CHECK_TEXT = new RegExp(`^(?:${[...CHECK_WORDS, ...VALID].join('|')}):\\s*\\S`);

export interface VerifierNames {
  /** In config.yaml. */
  readonly checks: ReadonlyMap<string, readonly string[]>;
  readonly squad_checks: ReadonlyMap<string, readonly string[]> | undefined;
  readonly detected: Detected;
}

export type Verifier =
  | { readonly kind: 'checks'; readonly checks: readonly string[] }
  /** Without `@`. */
  | { readonly kind: 'gate'; readonly name: string }
  | { readonly kind: 'person' }
  /** The item's reviewer, else the squad's. */
  | { readonly kind: 'reviewer' }
  /** A file must exist: each deliverable, or with `first` the first of them. */
  | { readonly kind: 'deliverables'; readonly first: boolean }
  | { readonly kind: 'undetected'; readonly name: DetectedName }
  | { readonly kind: 'unknown'; readonly near: string | undefined };

export function verifierOf(entry: string, names: VerifierNames): Verifier {
  const text = bare(entry);
  if (text.startsWith('@')) {
    const name = text.slice(1).trim();
    if (isPerson(name)) return { kind: 'person' };
    return name === '' ? unknown(text, names) : { kind: 'gate', name };
  }
  if (CHECK_TEXT.test(text)) return { kind: 'checks', checks: [text] };
  const word = text.toLowerCase().replace(/[\s-]+/g, '_');
  const own = ownChecks(names, text, word);
  if (own !== undefined) return { kind: 'checks', checks: own.map(checkText) };
  if (isPerson(word)) return { kind: 'person' };
  const known = Object.hasOwn(MEANT, word) ? MEANT[word] : ALWAYS.find((one) => one === word);
  if (known === undefined) return unknown(text, names);
  if (known === 'reviewer' || known === 'person') return { kind: known };
  if (ITSELF.includes(known)) return { kind: 'checks', checks: [known] };
  const name = DETECTED.find((one) => one === known);
  if (name === undefined) return { kind: 'deliverables', first: known === 'report' };
  const checks = names.detected(name);
  return checks === undefined ? { kind: 'undetected', name } : { kind: 'checks', checks };
}

/** In the configuration and in squads a command needs no `run:`. */
function checkText(text: string): string {
  const plain = text.trim();
  return ITSELF.includes(plain) || CHECK_TEXT.test(plain) ? plain : `run: ${plain}`;
}

function ownChecks({ checks, squad_checks }: VerifierNames, text: string, word: string) {
  const dashed = word.replaceAll('_', '-');
  return [checks, squad_checks]
    .flatMap((own) => [text, word, dashed].map((name) => own?.get(name)))
    .find((found) => found !== undefined);
}

export function verifierNames({ checks, squad_checks }: VerifierNames): readonly string[] {
  return [...new Set([...checks.keys(), ...(squad_checks?.keys() ?? []), ...ALWAYS])];
}

function unknown(text: string, names: VerifierNames): Verifier {
  return { kind: 'unknown', near: nearest(text, verifierNames(names)) };
}

function bare(entry: string): string {
  const text = entry.trim();
  return /^`([^`]+)`$/.exec(text)?.[1]?.trim() ?? text;
}
