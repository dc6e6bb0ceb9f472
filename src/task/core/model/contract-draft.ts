/** What a contract is written from. */
export interface ContractDraft {
  readonly head: Record<string, unknown>;
  readonly title: string;
  readonly objective: string;
  readonly requirements?: string;
  readonly criteria: readonly string[];
  readonly context_files?: readonly string[];
  readonly instructions?: string;
  /** A shell script for `## Steps`. */
  readonly steps?: string;
}
