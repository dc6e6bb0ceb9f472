/**
 * Whether a plan says above its first box that its tasks are worked on one at a time, without reading
 * all of it: this is asked of each plan that could go on. text/plan.ts reads the same line.
 */
const SAID = /^[^\p{L}\n]*one[ _-]at[ _-]a[ _-]time[^\p{L}\n]*(yes|true)\b/imu;
const BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[.\]\s/m;

export function saysOneAtATime(text: string): boolean {
  const first = text.search(BOX);
  return SAID.test(first === -1 ? text : text.slice(0, first));
}
