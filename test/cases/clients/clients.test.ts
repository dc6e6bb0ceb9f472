/** Plays the golden cases about clients. */
import { playAll } from '../../support/golden-topic.ts';
playAll('clients');
