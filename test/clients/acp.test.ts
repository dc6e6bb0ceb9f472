/**
 * The real Gemini and OpenCode over the Agent Client Protocol, by our driver, against the scripted model. Gemini can
 * load no session in the clock minute in which that was made: what it was asked is in the new brief.
 */
import { playAsUser, playStories } from '../support/client-stories.ts';

playStories(
  {
    client: 'gemini',
    over: { example: 'acp', adapter: 'gemini-acp' },
    prices: false,
    timeout_s: 10,
    resumes: false,
  },
  ['complete', 'question', 'denied', 'error', 'cancel'],
);

playAsUser(
  {
    client: 'opencode',
    over: { example: 'acp', adapter: 'opencode-acp' },
    prices: false,
    timeout_s: 30,
    counts_last: true,
    resumes: false,
  },
  ['complete'],
  ['complete'],
);
