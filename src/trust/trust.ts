/**
 * Whether anything of this workspace may be started. As with git's safe.directory and direnv allow,
 * nothing in the tree counts: the answer is in the person's state folder.
 */
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { isSomebodyElses, makeFolder, ownerOf, realBelow } from '../process/path-kind.ts';
import { lazily } from '../task/core/base/lazy.ts';
import { parsedJson } from '../task/core/base/json.ts';
import { Fault, problem, type Problem } from '../task/core/model/problem.ts';
import { findGit } from '../git/find-git.ts';
import { SETTINGS } from '../task/store/tasks/layout.ts';
import { put } from '../task/store/disk/put.ts';
import { bytesAt, lineAt } from '../task/store/snapshots/folder-snapshot.ts';
import { parseRecord, renderRecord } from '../task/text/documents/record.ts';
import { personsOwnIn } from '../workspace/open/persons-own.ts';
import { workspaceState } from '../workspace/open/state-home.ts';
import type { Grant } from './push-grant.ts';
import { grantsOf } from './grants.ts';
import { changedWords, forgetMarks, marksOf, type Mark } from './changed-settings.ts';
import type { Workspace } from '../workspace/open/workspace.ts';

const FILE = 'trusted.md';
/** Grants that are kept, those of other branches and worktrees too. */
const GRANTS_MAX = 2000;
const RECORD_BYTES_MAX = 16 * 1024 * 1024;
/** Longer ones keep the digest alone, and are shown whole after a change. */
const WORDS_MAX = 16_384;

const recordSchema = lazily(() =>
  z.object({
    v: z.literal(1),
    root: z.string(),
    /** Owner of the settings: a new one is asked about. */
    owner: z.int(),
  }),
);
/** A line of the body, as JSON: the head of a record has a small limit. */
const grantSchema = lazily(() =>
  z.object({ what: z.string(), words: z.string(), digest: z.string() }),
);

export interface Question {
  readonly first: boolean;
  /** Grants that are not allowed yet, each with the earlier one in its place. */
  readonly more: readonly (Grant & { readonly before?: string })[];
  readonly changed: readonly Mark[];
}

type Known = Pick<Workspace, 'disk' | 'env' | 'layout'>;

/** One for each workspace. A state folder inside of it would belong to whoever wrote the tree. */
export function trustFolder({ env, layout }: Known, root = layout.root): string {
  return workspaceState(env, layout.root, root);
}

/** undefined when it is trusted with these grants; by default, those that cost little to find. */
export function openQuestion(ws: Workspace, grants?: readonly Grant[]): Question | undefined {
  const changed = marksOf(ws, trustFolder(ws));
  const isGiven = ws.trusted === true || ws.env['CONTRACTS_TRUST'] === '1';
  const known = isGiven ? [] : allowed(ws);
  const all = isGiven ? [] : (grants ?? grantsOf(ws));
  const more = all
    .filter((one) => !isAllowed(one, known))
    .map((one) => {
      const before = known?.find(({ what }) => what === one.what)?.words;
      return before === undefined || before === '' ? one : { ...one, before };
    });
  const first = known === undefined;
  return first || more.length + changed.length > 0 ? { first, more, changed } : undefined;
}

function isAllowed({ what, digest }: Grant, known: readonly Grant[] = []): boolean {
  return known.some((one) => one.what === what && one.digest === digest);
}

/** Why no answer of a person allows it. */
export function whyNever(ws: Workspace): Problem | undefined {
  return personsOwnIn(ws, ws.layout.root, ws.config.sandbox);
}

/** undefined when it is trusted. */
export function whyUntrusted(ws: Workspace, grants?: readonly Grant[]): Problem | undefined {
  const never = whyNever(ws);
  if (never !== undefined) return never;
  const question = openQuestion(ws, grants);
  if (question === undefined) return undefined;
  const { first, more, changed } = question;
  const [one, ...others] = changed;
  const rest = others.length === 0 ? '' : `, and ${others.length} more`;
  const file = one?.path ?? (first ? SETTINGS : (more[0]?.file ?? SETTINGS));
  if (one !== undefined) {
    const fix = `Review ${file}; restore it, or keep it: contracts trust`;
    return problem({ code: 'untrusted', file, message: `${changedWords(one)}${rest}`, fix });
  }
  const named = [...new Set(more.map(({ what }) => what))].join(', ');
  const message = first
    ? 'this workspace is not trusted yet, so it starts no program'
    : `this is not allowed yet, or has changed: ${named}`;
  const fix = `See what it starts, and trust it: contracts trust`;
  return problem({ code: 'untrusted', file, message, fix });
}

/** Why even what starts no program is not done: a change by an agent is obeyed by the runner and by git, too. */
export function whyNothing(ws: Workspace): Problem | undefined {
  if (marksOf(ws, trustFolder(ws)).length > 0) return whyUntrusted(ws);
  return whyNever(ws);
}

/** Before anything of a workspace is started. Throws a Fault where it is not trusted. */
export function mustBeTrusted(ws: Workspace): void {
  const untrusted = whyUntrusted(ws);
  if (untrusted !== undefined) throw new Fault('trust', untrusted.message, { fix: untrusted.fix });
}

/** Why git is not run: its configuration changed while an agent worked. */
export function gitUntrusted(ws: Known): Problem | undefined {
  const mark = marksOf(ws, trustFolder(ws)).find(({ git }) => git !== undefined);
  if (mark === undefined) return undefined;
  const message = `git is not run: ${changedWords(mark)}`;
  const fix = `Review ${mark.path}; restore it, or keep it: contracts trust`;
  return problem({ code: 'untrusted', file: mark.path, message, fix });
}

/** Grants of which only the last answer counts: each can be made narrower, and must not be loosened silently again. */
const NARROWS = /^(?:sandbox|network of .*|hide)$/;

/** Writes nothing else. */
export function trust(ws: Workspace, grants: readonly Grant[], seen: readonly Mark[] = []): void {
  const folder = trustFolder(ws);
  const { root } = ws.layout;
  const isWhole = grants.some(({ what }) => what === 'hide');
  const before = (allowed(ws) ?? []).filter((one) => !isAllowed(one, grants));
  const all = [...grants, ...before.filter(({ what }) => !(isWhole && NARROWS.test(what)))];
  const kept = all.slice(0, GRANTS_MAX).map(({ what, words, digest }) => {
    const kept_words = words.length > WORDS_MAX ? '' : words;
    return JSON.stringify({ what, words: kept_words, digest });
  });
  const head = { v: 1, root: realBelow(root), owner: ownerNow(root) };
  const body = `# Trusted\n\nWhat may run outside of a sandbox at ${JSON.stringify(root)}, or loosen one. Without this file contracts asks again.\n\n${kept.join('\n')}`;
  makeFolder(folder);
  const bytes = Buffer.from(renderRecord(head, body), 'utf8');
  put(ws.putting, join(folder, FILE), bytes);
  forgetMarks(ws, folder, seen);
}

/** Owner of the settings; of the workspace where a person has made none yet. */
function ownerNow(root: string): number {
  return ownerOf(join(root, SETTINGS)) ?? ownerOf(root) ?? 0;
}

/** undefined where it is not trusted, or has another owner now. */
function allowed(ws: Workspace): readonly Grant[] | undefined {
  const roots = [ws.layout.root, mainRootOf(ws)].filter((one) => one !== undefined);
  const known = roots.map((root) => readAllowed(ws, root)).filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known.flat();
}

function readAllowed(ws: Workspace, root: string): readonly Grant[] | undefined {
  const file = join(trustFolder(ws, root), FILE);
  const bytes = ws.disk.stat(file) && bytesAt(ws.disk, file, RECORD_BYTES_MAX);
  const read = bytes && parseRecord(Buffer.from(bytes).toString('utf8'), file);
  if (read?.ok !== true || isSomebodyElses(file)) return undefined;
  const record = recordSchema().safeParse(read.value.head);
  if (!record.success || record.data.root !== realBelow(root)) return undefined;
  if (record.data.owner !== ownerNow(ws.layout.root)) return undefined;
  return read.value.body.split('\n').flatMap((line) => {
    const one = grantSchema().safeParse(parsedJson(line));
    return one.success ? [one.data] : [];
  });
}

/** The folder in the main checkout, for a linked worktree that the repository names: its own file proves nothing. */
function mainRootOf(ws: Workspace): string | undefined {
  const { disk, layout } = ws;
  const { root } = layout;
  const git = findGit(ws, root);
  if (git === undefined || git.own === git.common) return undefined;
  const named = lineAt(disk, join(git.own, 'gitdir')) ?? '';
  const top = dirname(resolve(git.own, named));
  const real = realBelow(root);
  // Nothing beside a bare or unpacked repository counts as its main checkout.
  const isIts = dirname(dirname(git.own)) === git.common && basename(git.common) === '.git';
  if (!isIts || !named.endsWith('/.git') || !`${real}/`.startsWith(`${realBelow(top)}/`))
    return undefined;
  return join(dirname(git.common), real.slice(realBelow(top).length));
}
