/** Plays the golden cases about teams. */
import { playAll } from '../../support/golden-topic.ts';
playAll('teams');
