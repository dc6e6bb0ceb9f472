/** The body of a contract, handed on from wherever it was read. */
import type { Contract } from './contract.ts';

export type Words = Pick<
  Contract,
  'objective' | 'requirements' | 'instructions' | 'criteria' | 'steps' | 'rest'
>;

export abstract class ContractWords implements Words {
  /** Asked for when the first of them is. */
  protected abstract get words(): Words;

  get objective(): string {
    return this.words.objective;
  }

  get requirements(): string {
    return this.words.requirements;
  }

  get instructions(): string {
    return this.words.instructions;
  }

  get criteria(): Contract['criteria'] {
    return this.words.criteria;
  }

  get steps(): readonly string[] {
    return this.words.steps;
  }

  get rest(): string {
    return this.words.rest;
  }
}
