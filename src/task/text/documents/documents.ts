/** Readers of what agents and people write. None fails; nothing unreadable counts as success. */
export { parseQuestions } from './questions.ts';
export { boxesIn, parseResult, parseStatus, unreadStatus } from './result.ts';
export { parseBlocked, parseReview, unreadVerdict } from './review.ts';
