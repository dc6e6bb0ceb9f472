/**
 * The plugin for OpenCode, which throws what is refused; OpenCode shows that to the model. Built
 * without imports of packages. Only OpenCode itself starts with npm offline, so that is taken back.
 */
import { answerTo, type ToolUse } from './tool-hook.ts';
import type { VerbEffects } from '../../core/person-commands.ts';

/** JSON, inserted by the bundle. */
declare const EFFECTS: string;

/** An event of OpenCode, of whatever form. */
interface Told {
  readonly event: {
    readonly type: string;
    readonly properties?: {
      readonly status?: {
        readonly type?: string;
        readonly message?: unknown;
        readonly attempt?: unknown;
      };
    };
  };
}

export const Contracts = () => {
  if (process.env['CONTRACTS_TASK'] !== undefined) delete process.env['npm_config_offline'];
  return Promise.resolve({
    // `run` does not tell that it tries again.
    event: ({ event: { type, properties } }: Told): Promise<void> => {
      const { status } = properties ?? {};
      if (type === 'session.status' && status?.type === 'retry') {
        const [words = ''] = String(status.message).split('\n');
        process.stderr.write(`contracts: retry ${words} attempt ${String(status.attempt)}\n`);
      }
      return Promise.resolve();
    },
    'tool.execute.before': (
      { tool }: Pick<ToolUse, 'tool'>,
      { args }: { readonly args: unknown },
    ): Promise<void> => {
      const effects = JSON.parse(EFFECTS) as VerbEffects;
      const use = { client: 'opencode', tool, input: args };
      const answer = answerTo(process.env, effects, () => use);
      return answer === undefined ? Promise.resolve() : Promise.reject(new Error(answer.why));
    },
  });
};
