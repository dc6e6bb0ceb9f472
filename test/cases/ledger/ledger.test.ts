/** Plays the golden cases about ledger. */
import { playAll } from '../../support/golden-topic.ts';
playAll('ledger');
