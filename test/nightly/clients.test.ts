/** The stories of the real clients that cost too much for the default run. */
import { playStories } from '../support/client-stories.ts';

playStories({ client: 'opencode', prices: true, timeout_s: 30, resumes: true }, [
  'reviewed',
  'timeout',
]);
