/** The real claude, called by the built command, against the scripted model. */
import { playStories } from '../support/client-stories.ts';

playStories({ client: 'claude', prices: true, timeout_s: 10, resumes: true }, [
  'reviewed',
  'question',
  'denied',
  'walled',
  'violated',
  'error',
  'timeout',
  'cancel',
]);
