/** Plays the golden cases about questions. */
import { playAll } from '../../support/golden-topic.ts';
playAll('questions');
