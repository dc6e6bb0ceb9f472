/** A contract of which head and title are known from an earlier look; anything else is read when asked for. */
import type { Check, Contract } from '../../task/core/model/contract.ts';
import { ContractWords } from '../../task/core/model/contract-body.ts';
import { parseCheck } from '../../task/text/documents/contract.ts';

export class KnownContract extends ContractWords implements Contract {
  readonly head: Contract['head'];
  readonly title: string;
  readonly #read: () => Contract;

  constructor(head: Contract['head'], title: string, read: () => Contract) {
    super();
    this.head = head;
    this.title = title;
    this.#read = read;
  }

  protected get words(): Contract {
    return this.#read();
  }

  /** One that had some is not kept. */
  get unknown_keys(): readonly string[] {
    return [];
  }

  get checks(): readonly Check[] {
    return this.head.verify.flatMap((entry) => {
      const check = parseCheck(entry, 'contract.md', 1);
      return check.ok ? [check.value] : [];
    });
  }

  get context_files(): readonly string[] {
    return this.words.context_files;
  }

  get lines(): ReadonlyMap<string, number> {
    return this.words.lines;
  }
}
