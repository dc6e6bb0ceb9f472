/** A team as data: who looks at what, and under which headings of their results. */
export interface Member {
  readonly id: string;
  readonly agent: string;
  /** One sentence. */
  readonly duty: string;
  /** The sections that its result must have. */
  readonly sections: string;
}

export interface Team {
  readonly name: string;
  readonly description: string;
  /** In their order; after them the devil's advocate and the synthesis, which every team has. */
  readonly members: readonly Member[];
  /** Words that point to it: see task/core/base/wording.ts. */
  readonly words: string;
}

export const ADVOCATE: Member = {
  id: 'devil-s-advocate',
  agent: 'devil-s-advocate',
  duty: 'Criticise every analysis: name risks, alternatives, assumptions that nobody verified, and edge cases.',
  sections: 'Risks, Alternatives, Unverified Assumptions, Edge Cases',
};

export const SYNTHESIS: Member = {
  id: 'synthesis',
  agent: 'chief-of-staff/oracle',
  duty: 'Join the results. Begin with where they disagree and who is right; name each member whose result is missing.',
  sections: 'Disagreements, Agreements, Recommendation, Missing Results',
};

/** Sections of a team that is named by its agents. */
export const SECTIONS = 'Findings, Evidence, Recommendation';
/** For words that point to none. */
export const DEFAULT_TEAM = 'review';
