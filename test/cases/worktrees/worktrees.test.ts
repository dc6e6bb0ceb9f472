/** Plays the golden cases about worktrees. */
import { playAll } from '../../support/golden-topic.ts';
playAll('worktrees');
