/**
 * How a program is confined before it is started: what its argv and environment become, and by what
 * name that stands in the report. Nothing confines it here.
 */
export interface Started {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface Confined extends Started {
  /** What is really in force: `sandbox`, or nothing. */
  readonly enforced: readonly string[];
}

export function confine(started: Started): Confined {
  return { ...started, enforced: [] };
}
