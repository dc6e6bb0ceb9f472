/**
 * The real OpenCode, called by the built command, against the scripted model. It takes six seconds
 * and half a gigabyte a call: one at a time, and the other stories at night.
 */
import { playStories } from '../support/client-stories.ts';

playStories({ client: 'opencode', prices: true, timeout_s: 20, resumes: true }, [
  'complete',
  'question',
  'denied',
  'error',
  'cancel',
]);
