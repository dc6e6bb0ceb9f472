/** Plays the golden cases about squads. */
import { playAll } from '../../support/golden-topic.ts';
playAll('squads');
