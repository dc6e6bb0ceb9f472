/** Plays the golden cases about stats. */
import { playAll } from '../../support/golden-topic.ts';
playAll('stats');
