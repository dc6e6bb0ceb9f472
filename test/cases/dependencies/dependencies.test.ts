/** Plays the golden cases about dependencies. */
import { playAll } from '../../support/golden-topic.ts';
playAll('dependencies');
