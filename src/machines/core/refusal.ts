/** Why something that came through the queue is not taken. */
export class Refusal extends Error {}
