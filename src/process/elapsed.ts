/** Milliseconds of a clock that never jumps; `performance.now` takes milliseconds to load. */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
