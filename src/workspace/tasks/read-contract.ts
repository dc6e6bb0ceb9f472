/** The contract of a task, with what it was read from. One that names another task is refused. */
import type { Contract } from '../../task/core/model/contract.ts';
import type { ContractSource } from '../../task/core/model/task.ts';
import { refused, type Result } from '../../task/core/model/problem.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { parseContract } from '../../task/text/documents/contract.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { readBytes } from '../open/text-file.ts';
import type { Workspace } from '../open/workspace.ts';

export interface ContractRead {
  readonly contract: Result<Contract>;
  readonly source: ContractSource;
}

/** sha256 of contract.md as it was read. Hashed when it is asked for: few tasks need it. */
export function contractHash({ source }: { readonly source: ContractSource }): string {
  // What is text is the same in bytes.
  return 'hash' in source ? source.hash : sha256(source.text);
}

/** `seen` gets the time of the file that was read. */
export function readContract(
  ws: Workspace,
  folder: string,
  id: string,
  seen?: { mtime_ms?: number },
): ContractRead {
  const path = `${folder}/contract.md`;
  const file = shown(ws.layout, path);
  const bytes = readBytes(ws.disk, path, file, { single_link: true, ...(seen && { seen }) });
  if (!bytes.ok) return { contract: bytes, source: { hash: '' } };
  const text = decodeText(bytes.value, file);
  if (!text.ok) return { contract: text, source: { hash: sha256(bytes.value) } };
  return {
    contract: named(parsed(text.value, file, id), id, file),
    source: { text: text.value },
  };
}

/** Contracts that are kept: a step reads the same one at each of its looks. */
const PARSED_MAX = 32;
const known = new Map<string, { readonly text: string; readonly contract: Result<Contract> }>();

function parsed(text: string, file: string, id: string): Result<Contract> {
  const before = known.get(id);
  if (before?.text === text) return before.contract;
  const contract = parseContract(text, file);
  // What is wrong with it is said with the place of the file, which may be another one next time.
  if (!contract.ok || contract.warnings.length > 0) return contract;
  known.delete(id);
  known.set(id, { text, contract });
  const [oldest] = known.size > PARSED_MAX ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  return contract;
}

function named(contract: Result<Contract>, id: string, file: string): Result<Contract> {
  if (!contract.ok) return contract;
  const found = contract.value.head.id;
  if (found === undefined || found === id) return contract;
  const message = 'the contract names another task than its folder';
  const fix = 'Correct id in contract.md, or rename the folder';
  return refused({ code: 'id_mismatch', file, message, found, expected: id, fix });
}
