/** Plays the golden cases about contracts. */
import { playAll } from '../../support/golden-topic.ts';
playAll('contracts');
