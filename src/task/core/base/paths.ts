/** Paths as texts, without a disk: links are the caller's. Pure. */

/** Absolute, without `.` and `..`. */
export function resolvePath(from: string, path: string): string {
  const parts: string[] = [];
  for (const segment of `${path.startsWith('/') ? '' : from}/${path}`.split('/')) {
    if (segment === '..') parts.pop();
    else if (segment !== '' && segment !== '.') parts.push(segment);
  }
  return `/${parts.join('/')}`;
}
