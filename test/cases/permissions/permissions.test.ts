/** Plays the golden cases about permissions. */
import { playAll } from '../../support/golden-topic.ts';
playAll('permissions');
