/** The real codex, called by the built command, against the scripted model. */
import { playStories } from '../support/client-stories.ts';

playStories({ client: 'codex', prices: false, timeout_s: 10, resumes: true }, [
  'reviewed',
  'question',
  'walled',
  'noticed',
  'violated',
  'error',
  'timeout',
  'cancel',
]);
