/** The real gemini, called by the built command, against the scripted model. */
import { playStories } from '../support/client-stories.ts';

playStories({ client: 'gemini', prices: false, timeout_s: 15, resumes: true }, [
  'reviewed',
  'question',
  'denied',
  'walled',
  'violated',
  'error',
  'timeout',
  'cancel',
]);
