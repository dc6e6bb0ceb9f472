/** How the lines of our relay are read: those of a driver, and what only a worker reports. Pure. */
import { ENDS, ENDS_ELSEWHERE } from '../../task/core/attempts/client-report.ts';
import { fields, type Fields } from '../../task/core/base/json.ts';
import type { AgentProgress } from '../../process/adapter.ts';
import { reader, text } from '../calls/client-events.ts';
import { progressOf } from './acp-call.ts';
import { machineName } from './queue.ts';

export const readRelay = reader((event) => [relayed(event) ?? progressOf(event) ?? []].flat());

/** Lines that only our relay prints. */
function relayed(event: Fields): AgentProgress | undefined {
  switch (event['kind']) {
    case 'machine': {
      const { name, enforced } = event;
      const list = Array.isArray(enforced) ? enforced.map(String) : [];
      return { kind: 'machine', name: machineName(text(name)), enforced: list };
    }
    case 'ended': {
      const { reason: named, code, signal, error } = fields(event['ending']);
      const reason = [...ENDS, ...ENDS_ELSEWHERE].find((one) => one === named) ?? 'unknown';
      const how = {
        code: typeof code === 'number' ? code : null,
        signal: typeof signal === 'string' ? signal : null,
      };
      return { kind: 'ended', ending: { reason, ...how, error: text(error) } };
    }
    case 'noise':
    case 'retry':
    case 'resets':
      return { kind: event['kind'], text: text(event['text']) };
    default:
      return undefined;
  }
}
