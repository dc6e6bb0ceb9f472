/** The real gemini, called by the built command, against the scripted model. */
import { playAsUser, playStories, type Player } from '../support/client-stories.ts';

const player: Player = { client: 'gemini', prices: false, timeout_s: 15, resumes: true };

playStories(player, [
  'reviewed',
  'question',
  'denied',
  'narrowed',
  'walled',
  'violated',
  'error',
  'limited',
  'retried',
  'down',
  'forgotten',
  'timeout',
  'cancel',
]);

playAsUser(player, ['complete', 'question', 'denied', 'push'], ['denied', 'push']);
