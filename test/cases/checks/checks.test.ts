/** Plays the golden cases about checks. */
import { playAll } from '../../support/golden-topic.ts';
playAll('checks');
