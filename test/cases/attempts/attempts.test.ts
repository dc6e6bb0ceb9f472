/** Plays the golden cases about attempts. */
import { playAll } from '../../support/golden-topic.ts';
playAll('attempts');
