/** Plays the golden cases about memory. */
import { playAll } from '../../support/golden-topic.ts';
playAll('memory');
