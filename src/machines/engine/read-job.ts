/** Jobs that a worker does: a key of an owner has signed them, and this machine can call their agents. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { roleOf } from '../../agents/engine/roles.ts';
import { isInstalled } from '../../process/program.ts';
import { kindOf, textOf } from '../../process/path-kind.ts';
import { parsedJson } from '../../task/core/base/json.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { isSignedBy } from '../../trust/sign.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { jobSchema, type Announced, type Job } from '../core/job.ts';
import { Refusal, Unfit } from '../core/job.ts';

const BLOCK = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

const COPY =
  'Copy .contracts/keys/*.pub of the workspace whose tasks this worker does to that file';

/** Public keys in a file of PEM blocks. Throws a Fault where there is none. */
export function keysIn(file: string): readonly KeyObject[] {
  if (kindOf(file) !== 'file')
    throw new Fault('tree', `--key: there is no file ${file}`, { fix: COPY });
  const blocks = textOf(file).match(BLOCK) ?? [];
  const keys = blocks.map((one) => createPublicKey(one));
  if (keys.length > 0 && keys.every((key) => key.asymmetricKeyType === 'ed25519')) return keys;
  throw new Fault('tree', `${file} has no public key of an owner`, {
    fix: COPY,
  });
}

/** Throws a Refusal where no key signed it, or it is no job. */
export function readJob(keys: readonly KeyObject[], { text, signature }: Announced): Job {
  const read = jobSchema().safeParse(parsedJson(String(text)));
  if (!read.success) throw new Refusal('it is no job that this version knows');
  const { task, attempt } = read.data.order;
  if (isSignedBy(keys, { of: 'job', task, attempt }, String(signature), String(text)))
    return read.data;
  const mend = "Add the owner's .contracts/keys/*.pub to it, then start that worker again";
  throw new Unfit(`its --key file has no key that signed this. ${mend}`);
}

/** Why an agent cannot be called on this machine, and how to mend that; undefined: it can. */
export function whyNot(
  ws: Workspace,
  agent: string,
): readonly [why: string, fix: string] | undefined {
  const { adapter, adapter_name } = roleOf(ws, agent);
  const isCalled =
    adapter?.mode === 'process' && adapter.writes_result_itself && adapter.relays === undefined;
  if (!isCalled) {
    const give = `Give it an adapter in .contracts/config.yaml, as in: agents: { ${agent}: { adapter: claude } }`;
    return [`its adapter here is ${adapter_name}, which calls no agent`, give];
  }
  const { program, install = 'Install it' } = adapter;
  return program === undefined || isInstalled(program, ws.env['PATH'] ?? '', ws.layout.root)
    ? undefined
    : [`${program}, which its adapter ${adapter_name} calls, is not installed here`, install];
}
