/** Faults of the set-up that a client met, and what a person does about each. */
import { isLastModel, roleOf, type Role } from '../../agents/engine/roles.ts';
import { namesFor, switchedOn, type Adapter } from '../../process/adapter.ts';
import type { ClientEnd } from '../../task/core/attempts/client-report.ts';
import type { OutcomeRecord } from '../../task/core/attempts/record.ts';
import { Fault } from '../../task/core/model/problem.ts';
import type { Running } from '../../workspace/tasks/attempt-context.ts';

/** An attempt, as far as the words need it. */
type Called = Pick<Running, 'ws' | 'id' | 'kind' | 'contract'> & { readonly agent?: string };
type End = Pick<ClientEnd, 'error' | 'reason' | 'stops'>;

const LACKED = /missing environment variable: `?([a-z_]\w*)/i;

/** Faults of the set-up, which a person mends before the next call: no try is used up. */
export function setupFault(called: Called, adapter: Adapter | undefined, end?: End) {
  if (end?.error === 'login') {
    const account = end.stops && 'Look at its credit and its settings';
    return new Fault('login', end.reason, {
      fix: account || loginFix(called, adapter, end.reason),
    });
  }
  if (end?.error === 'no_model' && end.stops) {
    return new Fault('program', end.reason, { fix: modelFix(called, adapter) });
  }
  if (end?.error !== 'setup') return undefined;
  // What a relay met names its cure.
  const relayed = adapter?.relays && 'Do that, then contracts run';
  const fix =
    relayed ??
    `Mend what stops its commands, then contracts step. See them: contracts logs ${called.id}`;
  return new Fault('program', end.reason, { fix });
}

/** Finds the same fault in the record of the attempt that met it. */
export function recordedFault(called: Called, role: Role, outcome: OutcomeRecord) {
  const { error, reason, model, code } = outcome;
  if (outcome.outcome !== 'interrupted' || error === undefined) return undefined;
  const { ws, contract, kind } = called;
  const stops =
    code === 'client_account' ||
    (error === 'no_model' && isLastModel(ws, contract, model, { kind, role }));
  return setupFault(called, role.adapter, { error, reason, ...(stops && { stops }) });
}

/** Cure for a model that does not exist: the place where it is named. */
function modelFix({ ws, contract, agent, id, kind }: Called, adapter: Adapter | undefined): string {
  if (kind === 'work' && contract?.head.model !== undefined) {
    return `Correct model: ${contract.head.model} in contract.md (contracts show ${id})`;
  }
  const named = agent === undefined ? undefined : roleOf(ws, agent).named.model;
  if (named !== undefined)
    return `Correct model: ${named} of the agent (contracts agents show ${agent})`;
  return `Name another in .contracts/config.yaml: adapters: { ${adapter?.name}: { model: … } }`;
}

/** How to log in; a key that is set may not have been passed on. */
function loginFix({ ws }: Called, adapter: Adapter | undefined, reason: string): string {
  const [, name] = LACKED.exec(reason) ?? [];
  const [cloud] = switchedOn(adapter?.env_if, ws.env);
  const login = cloud ? `Renew its credentials, or unset ${cloud}` : adapter?.client?.login;
  if (adapter === undefined || name === undefined) return login ?? '';
  if (namesFor(adapter, ws.env).includes(name)) return `Set ${name}`;
  const set = ws.env[name] === undefined ? `, and set ${name}` : '';
  return `Add adapters: { ${adapter.name}: { env: [${name}] } } to .contracts/config.yaml${set}`;
}
