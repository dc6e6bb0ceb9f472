/** The clients opened in a terminal: the headless call without what makes it headless. Pure. */
import type { AgentCall, Invocation } from '../../process/adapter.ts';
import { promptOf } from './client-call.ts';
import type { ClientType } from './client-type.ts';

/** Options to leave out, with the number of words that follow each. */
const HEADLESS: Readonly<Record<ClientType, Readonly<Record<string, number>>>> = {
  claude: { '-p': 1, '--output-format': 1, '--verbose': 0, '--permission-mode': 1 },
  codex: { exec: 0, '--json': 0, '--skip-git-repo-check': 0, '-': 0 },
  gemini: { '-p': 1, '-o': 1, '--approval-mode': 1 },
  opencode: { run: 0, '--format': 1, '--title': 1 },
};

/** The option of the first prompt; for claude and codex it is the argument that is no option. */
const PROMPT: Readonly<Partial<Record<ClientType, string>>> = {
  gemini: '-i',
  opencode: '--prompt',
};

export function conversation(
  type: ClientType,
  call: AgentCall,
  headless: Invocation,
  run: readonly string[],
): Invocation {
  const prompt = promptOf(call);
  const kept: string[] = [];
  const rest = headless.argv.slice(run.length);
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    const after = Object.hasOwn(HEADLESS[type], word) ? HEADLESS[type][word] : undefined;
    if (after !== undefined) at += after;
    else if (word === 'approval_policy="never"') kept.push('approval_policy="on-request"');
    else if (word !== prompt) kept.push(word);
  }
  // A session of codex is named by a subcommand, whose own argument the prompt is.
  const resumed = type === 'codex' && kept[0] === 'resume' ? kept.splice(0, 2) : [];
  // In front: options that take several words would swallow it at the end.
  const first = [PROMPT[type] ?? [], prompt].flat();
  return { ...headless, argv: [...run, ...resumed, ...first, ...kept] };
}
