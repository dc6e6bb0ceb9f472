/** Plays the golden cases about moves. */
import { playAll } from '../../support/golden-topic.ts';
playAll('moves');
