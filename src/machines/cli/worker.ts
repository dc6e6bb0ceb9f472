/** worker, as the command has it: what is wrong with its flags. What it does is a part that few calls load. */
import { refuse, refuseUse, verb } from '../../cli/terminal/verb-context.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import type { WorkerFlags } from './run-worker.ts';

const LABELS_MAX = 4;
const ADDRESSES = 'Name it: --queue redis://HOST, rediss://HOST or postgres://HOST/DATABASE';

export const runs = {
  worker: verb(
    async (opened, flags: WorkerFlags): Promise<void> => {
      const untrusted = whyUntrusted(opened.ws);
      if (untrusted !== undefined) refuse(opened, [untrusted]);
      const { runWorker } = await import('./run-worker.ts');
      const refused = await runWorker(opened, flags);
      if (refused !== undefined) refuseUse(opened, ...refused);
    },
    (call, { queue, key, agent = [], labels = [] }: WorkerFlags) => {
      const unknown = 'a worker does only jobs of owners that it knows';
      if (key === undefined) refuseUse(call, unknown, 'Name their public keys: --key FILE');
      if (agent.length === 0)
        refuseUse(call, 'a worker calls agents by name', 'Name one or more: --agent builder');
      const url = queue ?? process.env['CONTRACTS_QUEUE'] ?? '';
      if (url === '') refuseUse(call, 'no queue is named', `${ADDRESSES}, or set CONTRACTS_QUEUE`);
      const shown = url.replace(/:\/\/.*@/, '://…@');
      if (!/^(?:rediss?|postgres(?:ql)?):\/\/./.test(url))
        refuseUse(call, 'this is no address of a queue', ADDRESSES, shown);
      if (labels.length > LABELS_MAX)
        refuseUse(call, `a machine has at most ${LABELS_MAX} labels`, 'Leave some out');
    },
  ),
};
