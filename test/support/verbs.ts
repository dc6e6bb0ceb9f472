/** The verbs of the command as people see them, and what all of them do to a tree. */
import { CAPABILITIES } from '../../src/capabilities.ts';
import { effectsOf, verbsOf } from '../../src/cli/startup/verbs.ts';

export const VERBS = verbsOf(CAPABILITIES).filter(({ heading }) => heading !== '');
export const EFFECTS = effectsOf(CAPABILITIES);
