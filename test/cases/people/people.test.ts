/** Plays the golden cases about people. */
import { playAll } from '../../support/golden-topic.ts';
playAll('people');
