/** The ledger: LEDGER.md shows the state of all work on one page. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';

export const ledger: Capability = { name: 'ledger', ...calls };
