/**
 * After verification has passed: criteria that the runner has proved itself are ticked in result.md, so
 * that no agent is called again to repeat them. Leaves a file that changed since it was read alone.
 */
import { join } from 'node:path';
import { checkName, type Contract } from '../../task/core/model/contract.ts';
import { checklistsOf, checkOf } from '../../task/core/model/criterion-check.ts';
import { metCriteria, provedBy, type DeliverableSeen } from '../core/judge/unmet.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { putIfUnchanged } from '../../task/store/disk/put.ts';
import { parseResult } from '../../task/text/documents/documents.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { tickProved } from '../../task/text/documents/result-edit.ts';
import { readBytes } from '../../workspace/open/text-file.ts';
import { ITEM } from '../verify/verify.ts';
import type { Asked } from './ask-gate.ts';
import { bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';

export function tickCriteria(
  { ws }: Running,
  contract: Contract,
  folder: string,
  deliverables: readonly DeliverableSeen[],
  receipts: readonly Receipt[],
): void {
  const proved = provedBy(contract, deliverables, receipts);
  if (proved.size === 0) return;
  const path = join(folder, 'result.md');
  const bytes = readBytes(ws.disk, path, 'result.md');
  const text = bytes.ok ? decodeText(bytes.value, 'result.md') : bytes;
  if (!bytes.ok || !text.ok) return;
  const met = new Set(metCriteria(contract, parseResult(text.value)));
  const open = [...proved].filter((one) => !met.has(one));
  const edited = tickProved(
    text.value,
    open.map((one) => ({ text: one.text, evidence: evidenceOf(contract, one, receipts) })),
  );
  if (edited !== undefined) putIfUnchanged(ws.putting, path, sha256(bytes.value), bytesOf(edited));
}

/** Receipts of the items of checklists, as the gate left them. A person who approves has looked at all. */
export function itemsSeen(
  { owner, ws }: Running,
  contract: Contract,
  { by, verdict, boxes = [] }: Asked,
  deliverables: readonly DeliverableSeen[],
  receipts: readonly Receipt[],
): readonly Receipt[] {
  const texts = new Set(checklistsOf(contract).flatMap(({ items }) => items));
  const criteria = [...texts].map((text, i) => ({ number: i + 1, text, line: 1 }));
  const proved = provedBy(contract, deliverables, receipts, criteria);
  const ticked = metCriteria({ criteria }, { criteria: boxes });
  const isWhole = by === 'person' && verdict === 'APPROVED';
  const met = new Set(isWhole ? criteria : [...proved, ...ticked]);
  const who = by === 'person' ? 'a person' : owner.agent;
  const at = ws.machine.now().toISOString();
  return criteria.flatMap((one) => {
    const passed = met.has(one);
    if (!passed && verdict === undefined) return [];
    const said = `${passed ? 'accepted' : 'left open'} by ${who}`;
    const reason = proved.has(one) ? 'seen by the runner' : said;
    return { check: ITEM + one.text, passed, exit_code: null, at, ms: 0, reason, output: '' };
  });
}

function evidenceOf(
  contract: Contract,
  criterion: Contract['criteria'][number],
  receipts: readonly Receipt[],
): string {
  const check = checkOf(contract, criterion);
  const name = check === undefined ? '' : checkName(check);
  const reason = receipts.find((one) => one.check === name)?.reason ?? 'the file is there';
  return `seen by the runner: \`${name}\`, ${reason}`;
}
