/**
 * The real Gemini over the Agent Client Protocol, by our driver, against the scripted model. It can
 * load no session in the clock minute in which that was made: what it was asked is in the new brief.
 */
import { playStories } from '../support/client-stories.ts';

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
