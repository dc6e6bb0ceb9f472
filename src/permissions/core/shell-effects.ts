/** What a shell command does; what is not known before it runs is an effect too. Never fails. */
import { Place, type ShellEffect, type Shared, type Standing } from './shell-place.ts';
import type { Variables } from './shell-word.ts';
import { Walk } from './shell-walk.ts';
import { shellCommands } from './shell-words.ts';
import { allowedCommands, shellPattern } from './tools.ts';

const COMMANDS_MAX = 2000;
const RUNS_MAX = 32;
const TOO_LONG: ShellEffect = { kind: 'unknown', why: 'the command is too long to be judged' };

export function shellEffects(command: string, standing: Standing): readonly ShellEffect[] {
  const variables = new Map(Object.entries(standing.variables));
  const again = { unsure: new Map(), left: COMMANDS_MAX, effects: [] as ShellEffect[] };
  for (let run = 0; run < RUNS_MAX; run++) {
    const seen = { written: new Set<string>(), folders: new Set<string>(), functions: new Map() };
    const shared: Shared = { ...again, ...seen, standing, restart: false };
    new Walk(new Place(standing.cwd, variables, shared), shared, 0).run(command);
    again.left = shared.left;
    if (!shared.restart) return again.left > 0 ? again.effects : [...again.effects, TOO_LONG];
    again.effects = [];
  }
  return [TOO_LONG];
}

/** Syntax that could hide a command. */
const HIDING = /`|\$[({'[]|<<|[<>]\(|^[^]{16384}/;

/** True if the tools do not allow it; a denied command not even where another program starts it. */
export function isBeyond(tools: readonly string[], line: string, known: Variables): boolean {
  const allowed = allowedCommands(tools);
  const isOpen = allowed.includes('*');
  const denied = tools.flatMap((name) => /^!(.*)/s.exec(shellPattern(name) ?? '')?.[1] ?? []);
  if (isOpen ? denied.length === 0 : HIDING.test(line)) return !isOpen;
  return shellCommands(line, known).some(({ words, assigned, defines }) => {
    const text = words.map((word) => word.text).join(' ');
    if (denied.some((glob) => matches(glob, text, '(?:^|[\\s/;&|(])'))) return true;
    if (defines !== undefined) return !isOpen;
    if (isOpen || words.length + assigned.length === 0) return false;
    // Only `*` matches an unknown part, or a blank within a word.
    const plain = words.map((word) => (word.known ? word.text.replaceAll(/\s/g, '\0') : '\0'));
    return assigned.length > 0 || !allowed.some((glob) => matches(glob, plain.join(' ')));
  });
}

function matches(glob: string, text: string, begin = '^'): boolean {
  const source = glob.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`${begin}${source.replace(/ \.\*$/, '(?: .*)?')}$`, 's').test(text);
}
