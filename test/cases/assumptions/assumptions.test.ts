/** Plays the golden cases about assumptions. */
import { playAll } from '../../support/golden-topic.ts';
playAll('assumptions');
