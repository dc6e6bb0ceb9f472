/**
 * Which paths and globs a contract may name: relative, below the workspace, meaning the same on every
 * file system. Gives what is wrong, or undefined.
 */

const PATH_CHARS_MAX = 500;
const GLOB_CHARS_MAX = 200;

export function checkPath(path: string): string | undefined {
  if (path.trim() === '') return 'the path is empty';
  if (path.length > PATH_CHARS_MAX) return `the path has more than ${PATH_CHARS_MAX} characters`;
  // V8 takes longer to prepare the classes of Unicode than for all the rest.
  if (!/^[ -~]*$/.test(path) && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(path))
    return 'the path has a control character';
  if (path.startsWith('/')) return 'the path is absolute';
  if (/^[A-Za-z]:/.test(path)) return 'the path names a drive';
  if (path.includes('\\')) return 'the path has a backslash';
  if (path.includes(':')) return 'the path has a colon';
  const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  for (const segment of segments) {
    const wrong = checkSegment(segment);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function checkSegment(segment: string): string | undefined {
  if (segment === '') return 'the path has an empty segment';
  if (segment === '.') return 'the path has a . segment';
  if (segment === '..') return 'the path has a .. segment';
  if (/^(\.git|git~\d+)$/i.test(segment.replace(/[. ]+$/, ''))) return 'the path leads into .git';
  if (segment.endsWith('.') || segment.endsWith(' ') || segment.startsWith(' '))
    return 'a segment of the path starts or ends with a blank, or ends with a dot';
  return undefined;
}

/** The rules of a path, and no pattern that can take long or mean its opposite. */
export function checkGlob(glob: string): string | undefined {
  if (glob.length > GLOB_CHARS_MAX) return `the pattern has more than ${GLOB_CHARS_MAX} characters`;
  if (glob.startsWith('!')) return 'the pattern starts with !';
  if (/[{}]/.test(glob)) return 'the pattern has braces';
  if (/[?*+@!]\(/.test(glob)) return 'the pattern has an extended glob';
  return checkPath(glob);
}
