/** Plays the golden cases about cli. */
import { playAll } from '../../support/golden-topic.ts';
playAll('cli');
