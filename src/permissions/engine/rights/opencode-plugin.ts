/**
 * The plugin for OpenCode, built as dist/opencode-plugin.js without any import of a package: before a
 * tool is used the authority of the attempt judges it; what is refused is thrown, and OpenCode tells
 * the model so. Inside of an attempt what the agent runs is not told
 * any more that npm is offline, as OpenCode was for its start.
 */
import { answerTo } from './tool-hook.ts';
import type { VerbEffects } from '../../core/person-commands.ts';

/** JSON, written in by the bundle. */
declare const EFFECTS: string;

interface Before {
  readonly tool: string;
}

interface Given {
  readonly args: unknown;
}

export const Contracts = () => {
  if (process.env['CONTRACTS_TASK'] !== undefined) delete process.env['npm_config_offline'];
  return Promise.resolve({
    'tool.execute.before': ({ tool }: Before, { args }: Given): Promise<void> => {
      const effects = JSON.parse(EFFECTS) as VerbEffects;
      const use = { client: 'opencode', tool, input: args };
      const answer = answerTo(process.env, effects, () => use);
      return answer === undefined ? Promise.resolve() : Promise.reject(new Error(answer.why));
    },
  });
};
