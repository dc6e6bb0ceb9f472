/** Makes the thirty tasks below `root`, a folder that is not there yet. */
export function makeThirty(root: string): void;
