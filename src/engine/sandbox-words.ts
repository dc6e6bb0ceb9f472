/**
 * What a sandbox held and what not, in the sentences of an outcome. Says no more than is true: folders,
 * not globs; the network was open; what ended with it was not counted. Pure.
 */
import { maySend, type Places, type Scope } from './sandboxing.ts';

export function sandboxWords(scope: Scope, { open, wider }: Places): readonly string[] {
  const where = open.map((folder) => (folder === '.' ? 'the whole workspace' : `${folder}/`));
  const may = [...where, 'its desk', 'a private /tmp'].join(', ');
  const keys = maySend(scope) ? 'no key but what git sends with' : 'no key';
  const words = [
    `A sandbox confined it: it could write ${may}, and saw no other home, ${keys} and no other desk. The network was open.`,
  ];
  if (scope.authority.strength !== 'hard' && scope.kind === 'work') {
    words.push('Its rules only warn, so the sandbox closed nothing of the workspace.');
  }
  if (wider.length > 0) {
    words.push(`A sandbox knows folders: around ${wider.join(', ')} more was open than that.`);
  }
  words.push('What it left running ended with the sandbox; nobody counted it.');
  return words;
}
