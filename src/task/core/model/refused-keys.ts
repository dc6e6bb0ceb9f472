/**
 * Keys that contracts do not have, and the key that says what they mean. They are refused: ignored, the
 * task would run before its dependencies, by another agent, or without its gate.
 */
const WORDS: Readonly<Record<string, string>> = {
  depends_on: 'dependencies depends blocked_by blockedBy after needs requires',
  agent: 'executor assignee',
  quality_gate: 'reviewer gate',
  verify: 'check checks tests verification',
  write: 'write_paths',
  retries_max: 'max_retries',
  '## Success Criteria': 'acceptanceCriteria acceptance-criteria',
};

export const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).flatMap(([key, words]) =>
    words.split(' ').map((word) => [word, key] as const),
  ),
);
