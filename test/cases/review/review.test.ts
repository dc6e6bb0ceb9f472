/** Plays the golden cases about review. */
import { playAll } from '../../support/golden-topic.ts';
playAll('review');
