/**
 * A clock that never jumps, in milliseconds since some moment: for how long something lasts. It is
 * not `performance.now`, whose module takes milliseconds to load at its first use.
 */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
