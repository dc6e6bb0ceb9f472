/**
 * Keys that contracts do not have, and the key that says what they mean. They are refused: ignored, the
 * task would run before its dependencies, by another agent, or without its gate.
 */
export const MEANT: ReadonlyMap<string, string> = new Map([
  ['dependencies', 'depends_on'],
  ['depends', 'depends_on'],
  ['blocked_by', 'depends_on'],
  ['blockedBy', 'depends_on'],
  ['after', 'depends_on'],
  ['executor', 'agent'],
  ['assignee', 'agent'],
  ['reviewer', 'quality_gate'],
  ['gate', 'quality_gate'],
  ['check', 'verify'],
  ['checks', 'verify'],
  ['write_paths', 'write'],
  ['max_retries', 'retries_max'],
]);
