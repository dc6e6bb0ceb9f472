/**
 * What agents and people write, read leniently: the doors to the readings, one file each.
 * None of them fails; nothing unreadable ever counts as success, a verdict or an answer.
 */
export { parseDecision } from '../../../checkpoints/text/decision.ts';
export { parseQuestions } from './questions.ts';
export { parseResult, parseStatus, unreadStatus } from './result.ts';
export { parseBlocked, parseReview, unreadVerdict } from './review.ts';
