/**
 * How the clients of models are called and read. In the built command this is a file of its own, so nothing in here
 * may be compared by class with what is outside.
 */
import type { Adapter, AgentCall, AgentProgress, Invocation } from '../../process/adapter.ts';
import { claude } from '../claude/claude.ts';
import type { Login, LoginSeen } from '../core/client-version.ts';
import type { ClientType } from '../core/records.ts';
import { codex } from '../codex/codex.ts';
import { gemini } from '../gemini/gemini.ts';
import { opencode } from '../opencode/opencode.ts';

export { prepareAcp, readAcp } from './acp-call.ts';
export { readRelay } from './relay-lines.ts';
export { timeOf } from '../calls/client-events.ts';
export { clientFolders } from './client-folders.ts';
export { conversation } from './client-interactive.ts';

export interface ClientPart extends Pick<Adapter, 'askMajor'> {
  /** Pure. `run` is the program with the arguments that always come first. */
  prepare(call: AgentCall, run: readonly string[]): Invocation;
  /** Pure: one line of output -> events. */
  read(line: string): readonly AgentProgress[];
  opens?(call: AgentCall): readonly string[];
  /** Pure: what its own answer and files say. */
  login(seen: LoginSeen): Login;
}

export const clients: Readonly<Record<ClientType, ClientPart>> = {
  claude,
  codex,
  gemini,
  opencode,
};
