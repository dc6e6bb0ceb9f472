/**
 * What a sandbox held and what not, in the sentences of an outcome. Says no more than is true: folders,
 * not globs; the network was open; what ended with it was not counted. Pure.
 */
import { maySend } from './sandbox-git.ts';
import type { Scope } from './sandbox-scope.ts';
import type { Places } from './sandboxing.ts';

const GIT_WORDS: Readonly<Record<Places['git'], string>> = {
  read: 'It could look at git and change nothing of it: who may not merge, rebase, push or config commits in a worktree alone (isolation: worktree).',
  worktree: 'Of git it could write objects, and the HEAD and the index of its worktree.',
  trusted: 'It is trusted with git: all of .git was open but settings and hooks that were there.',
};

export function sandboxWords(scope: Scope, { open, wider, git }: Places): readonly string[] {
  const where = open.map((folder) => (folder === '.' ? 'the whole workspace' : `${folder}/`));
  const may = [...where, 'its desk', 'a private /tmp'].join(', ');
  const keys = maySend(scope) ? 'no key but what git sends with' : 'no key';
  const words = [
    `A sandbox confined it: it could write ${may}, and saw no other home, ${keys} and no other desk. The network was open.`,
  ];
  if (scope.authority.strength !== 'hard' && scope.kind === 'work') {
    words.push('Its rules only warn, so the sandbox closed nothing of the workspace.');
  }
  if (scope.kind === 'work' && scope.authority.git.length > 0) words.push(GIT_WORDS[git]);
  if (wider.length > 0) {
    words.push(`A sandbox knows folders: around ${wider.join(', ')} more was open than that.`);
  }
  words.push('What it left running ended with the sandbox; nobody counted it.');
  return words;
}
