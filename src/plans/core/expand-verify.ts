/** How an item is verified. No executor reviews its own work; what nothing checks needs a person. */
import { JUDGED } from '../../task/core/model/checks.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { report, type Expanding, type Meant, type PlanDraft } from './plan-draft.ts';
import { unparted } from './expand-depends.ts';
import { agentNamed, whoIsMeant } from './expand-squads.ts';
import { wordOf } from './plan-ids.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { DEFAULT_SQUAD, DEFAULT_REVIEWER } from '../../squads/core/squad.ts';
import { OF_CODE, verifierNames, verifierOf, type VerifierNames } from './verifiers.ts';
import { isCode } from '../../permissions/core/roles.ts';

/** One executor of an item. */
export interface Part {
  readonly worker: string;
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** From `prd` on, each belongs to one role. */
const REPORT_FOLDERS = ['research', 'deliverables', 'prd', 'architecture', 'reviews'] as const;

export class Verifying {
  readonly #meant: Meant;
  readonly #part: Part;
  readonly #expanding: Expanding;
  readonly #names: VerifierNames;
  readonly #checks = new Set<string>();
  readonly #gates = new Set<string>();
  readonly #deliverables: Set<string>;
  /** The item names no verifier, so a default that cannot run is no error. */
  #unasked = false;

  constructor(meant: Meant, part: Part, expanding: Expanding) {
    this.#meant = meant;
    this.#part = part;
    this.#expanding = expanding;
    const { checks, detected } = expanding.around;
    this.#names = { checks, squad_checks: meant.squad?.checks, detected };
    this.#deliverables = new Set(meant.item.deliverables);
  }

  all(): Pick<PlanDraft, 'checks' | 'gates' | 'deliverables'> {
    const { item, squad } = this.#meant;
    for (const entry of item.verify) this.#ask(entry);
    for (const name of item.reviewers) this.#gate(name);
    // A person confirms their own work; the squad's verification is for its agents.
    const by_person = this.#part.worker === PERSON;
    if (by_person && !this.#isSeen()) this.#gates.add(PERSON);
    if (item.verify.length === 0 && !this.#isChecked() && !by_person) this.#byDefault();
    if (squad?.quality_gates === true && this.#gates.size === 0 && !by_person) this.#defaultGate();
    if (!this.#isSeen()) this.#byDefault();
    const isLast = this.#part.number === this.#part.of;
    // Deliverables must exist when the last executor is done.
    if (!isLast) this.#deliverables.clear();
    if (!isLast && !by_person && !this.#isSeen())
      this.#addReport(`${item.key}-${this.#part.worker}`);
    if (!this.#isSeen()) this.#gates.add(PERSON);
    return {
      checks: [...this.#checks],
      gates: [...this.#gates],
      deliverables: [...this.#deliverables],
    };
  }

  #isChecked(): boolean {
    const seen = [...this.#checks].some((check) => !JUDGED.test(check));
    return seen || this.#deliverables.size > 0;
  }

  #isSeen(): boolean {
    return this.#isChecked() || this.#gates.size > 0;
  }

  #ask(entry: string): void {
    const verifier = verifierOf(entry, this.#names);
    switch (verifier.kind) {
      case 'checks':
        for (const check of verifier.checks) this.#checks.add(check);
        return;
      case 'gate':
        return this.#gate(verifier.name);
      case 'person':
        this.#gates.add(PERSON);
        return;
      case 'reviewer':
        // A reviewer that the item names is a gate anyway.
        if (this.#meant.item.reviewers.length === 0) this.#gate(this.#squadReviewer());
        return;
      case 'deliverables':
        return this.#files(verifier.first);
      case 'undetected':
        return this.#report({
          message: `no command is known for ${verifier.name}`,
          found: entry,
          expected: 'scripts in package.json, a Makefile, pyproject.toml, Cargo.toml or go.mod',
          fix: `Write it into .contracts/config.yaml: checks: {${verifier.name}: "your command"}`,
        });
      case 'unknown':
        return this.#unknown(entry, verifier.near);
    }
  }

  #unknown(entry: string, near: string | undefined): void {
    const { around } = this.#expanding;
    const isAgent = agentNamed(entry, this.#meant.squad, around) !== undefined;
    const meant = isAgent ? `@${entry}` : near;
    this.#report({
      message: 'an unknown verifier',
      found: entry,
      expected: `${verifierNames(this.#names).join(', ')}, @agent, or a check such as run: npm test`,
      fix: meant === undefined ? (unparted(entry) ?? 'Name one of them') : `Did you mean ${meant}?`,
    });
  }

  #report(message: Pick<Problem, 'message' | 'found' | 'expected' | 'fix'>): void {
    // Each executor of the item would repeat it.
    if (this.#part.number > 1) return;
    report(this.#expanding, this.#meant.item.box.line, { code: 'unknown_check', ...message });
  }

  #gate(written: string): void {
    const { around, problems } = this.#expanding;
    const { squad, item } = this.#meant;
    const reported = this.#part.number > 1 ? [] : problems;
    const { line } = item.box;
    const name = whoIsMeant(written, squad, { around, problems: reported }, { line });
    if (name === undefined) return;
    if (name === this.#part.worker && name !== PERSON) {
      report(this.#expanding, line, {
        code: 'gate_is_executor',
        message: 'the gate would review its own work',
        found: `@${written}`,
        fix: 'Name another reviewer, or person',
      });
    } else this.#gates.add(name);
  }

  #squadReviewer(): string {
    const { squad, category } = this.#meant;
    const own = category === undefined ? undefined : squad?.categories.get(category)?.reviewer;
    return own ?? squad?.default_reviewer ?? DEFAULT_REVIEWER;
  }

  /** An agent that would review its own work is replaced by a person. */
  #defaultGate(): void {
    const name = this.#squadReviewer();
    const { squad } = this.#meant;
    const full = agentNamed(name, squad, this.#expanding.around);
    if (full === this.#part.worker) this.#gates.add(PERSON);
    else this.#gate(name);
  }

  /** The squad's verification, where it can run here; that of code only for agents that may write some. */
  #byDefault(): void {
    const { around } = this.#expanding;
    const squad = this.#meant.squad ?? around.squad(DEFAULT_SQUAD);
    if (squad === undefined) return;
    const { worker } = this.#part;
    const { write = around.writes(worker) } = this.#meant.item;
    if (OF_CODE.test(squad.verification) && !isCode(write)) {
      const stories = `.contracts/plans/${around.plan}/stories/*.md`;
      if (around.mayCreate(worker, stories)) this.#deliverables.add(stories);
      return;
    }
    const names = { ...this.#names, squad_checks: squad.checks };
    const { kind } = verifierOf(squad.verification, names);
    this.#unasked = true;
    if (kind === 'reviewer') this.#defaultGate();
    else if (kind !== 'unknown' && kind !== 'undetected') this.#ask(squad.verification);
  }

  #files(first: boolean): void {
    const { item } = this.#meant;
    if (this.#deliverables.size > 0) return;
    const made = first ? [] : item.paths.filter((path) => !item.context_files.includes(path));
    for (const path of made) this.#deliverables.add(path);
    if (made.length === 0) this.#addReport(item.key);
  }

  /** Takes the first folder in which the agent may write. */
  #addReport(key: string): void {
    const { around } = this.#expanding;
    const { worker } = this.#part;
    const name = `${fileWord(key, around.hash)}.md`;
    const plan = `.contracts/plans/${around.plan}`;
    const places = [
      ...REPORT_FOLDERS.map((folder) => `${plan}/${folder}/${name}`),
      `docs/${around.plan}/${name}`,
    ];
    const path = places.find((one) => around.mayCreate(worker, one));
    if (path !== undefined) this.#deliverables.add(path);
    else if (!this.#unasked && this.#part.number === this.#part.of) {
      report(this.#expanding, this.#meant.item.box.line, {
        code: 'beyond_permissions',
        message: `${worker} has no permission to write a report`,
        found: places[1] ?? '',
        fix: 'Name the files it makes (files: path), another executor, or another verifier',
      });
    }
  }
}

const FILE_CHARS_MAX = 60;

/** Two keys never share a file. */
function fileWord(key: string, hash: (...parts: readonly string[]) => string): string {
  const word = wordOf(key, FILE_CHARS_MAX);
  return word === key ? word : `${word}-${hash(key).slice(0, 4)}`;
}
