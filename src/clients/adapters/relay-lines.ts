/** How the lines of our relay are read: those of a driver, and what only a worker reports. Pure. */
import { ENDS, ENDS_ELSEWHERE } from '../../task/core/attempts/client-report.ts';
import type { Fields } from '../../task/core/base/json.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import { reader } from '../calls/client-events.ts';
import { progressOf } from './acp-call.ts';
import { machineName } from './queue.ts';

export const readRelay = reader((event) => [relayed(event) ?? progressOf(event) ?? []].flat());

/** Lines that only our relay prints. */
function relayed(event: Fields): AgentProgress | undefined {
  const text = (key: string): string => String(event[key] ?? '').slice(0, 2000);
  switch (event['kind']) {
    case 'machine': {
      const { enforced } = event;
      const list = Array.isArray(enforced) ? enforced.map(String) : [];
      return { kind: 'machine', name: machineName(text('name')), enforced: list };
    }
    case 'ended': {
      const all = [...ENDS, ...ENDS_ELSEWHERE];
      const reason = all.find((one) => one === event['reason']) ?? 'unknown';
      const code = typeof event['code'] === 'number' ? event['code'] : null;
      const signal = typeof event['signal'] === 'string' ? event['signal'] : null;
      return { kind: 'ended', ending: { reason, code, signal, error: text('error') } };
    }
    case 'noise':
    case 'retry':
    case 'resets':
      return { kind: event['kind'], text: text('text') };
    default:
      return undefined;
  }
}
