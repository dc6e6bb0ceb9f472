/** Plays the golden cases about delegation. */
import { playAll } from '../../support/golden-topic.ts';
playAll('delegation');
