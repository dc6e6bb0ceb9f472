/** Plays the golden cases about plans. */
import { playAll } from '../../support/golden-topic.ts';
playAll('plans');
