/** Plays the golden cases about sessions. */
import { playAll } from '../../support/golden-topic.ts';
playAll('sessions');
