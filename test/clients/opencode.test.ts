/**
 * The real OpenCode, called by the built command, against the scripted model. It takes six seconds
 * and half a gigabyte a call: one at a time, and the other stories at night.
 */
import { playAsUser, playStories, type Player } from '../support/client-stories.ts';

const player: Player = {
  client: 'opencode',
  prices: true,
  timeout_s: 20,
  resumes: true,
  tells_resets: true,
};

playStories(player, [
  'complete',
  'question',
  'denied',
  'error',
  'limited',
  'retried',
  'forgotten',
  'cancel',
]);

playAsUser(player, ['complete', 'question', 'denied', 'push', 'worktree'], ['denied', 'push']);
