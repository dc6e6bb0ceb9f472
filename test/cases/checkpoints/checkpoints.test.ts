/** Plays the golden cases about checkpoints. */
import { playAll } from '../../support/golden-topic.ts';
playAll('checkpoints');
