/** The real codex, called by the built command, against the scripted model. */
import { playAsUser, playStories, type Player } from '../support/client-stories.ts';

const player: Player = { client: 'codex', prices: false, timeout_s: 10, resumes: true };

playStories(player, [
  'reviewed',
  'question',
  'walled',
  'noticed',
  'violated',
  'error',
  'limited',
  'down',
  'forgotten',
  'gateway',
  'timeout',
  'cancel',
]);

playAsUser(player, ['complete', 'question', 'denied', 'push'], ['denied', 'push']);
