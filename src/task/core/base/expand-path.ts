/** `~` and `$VAR` in a path of the settings; a variable that is not set stays as it is written. */
const NAMES = /^~(?=\/|$)|\$(?:\{(\w+)\}|(\w+))/g;

export function expandPath(path: string, env: Readonly<Record<string, string | undefined>>) {
  const valueOf = (whole: string, a?: string, b?: string) => env[a ?? b ?? 'HOME'] ?? whole;
  return path.replace(NAMES, valueOf);
}
