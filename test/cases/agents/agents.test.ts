/** Plays the golden cases about agents. */
import { playAll } from '../../support/golden-topic.ts';
playAll('agents');
