/** A deliverable that is not what its receipt recorded, in words. Pure. */
import type { Delivered } from '../../../task/core/attempts/record.ts';

export interface Differs {
  readonly path: string;
  /** Gone, empty or shorter; any other change may be later work. */
  readonly damaged: boolean;
  readonly words: string;
}

/** `now` is undefined when the file is missing; without a hash where its contents were not read. */
export function differsFrom(
  { path, bytes, sha256 }: Delivered,
  now: Pick<Delivered, 'bytes' | 'sha256'> | undefined,
): Differs | undefined {
  const was = `it had ${bytes} bytes when it was verified`;
  if (now === undefined) return { path, damaged: true, words: `${path} is missing: ${was}` };
  if (now.bytes === bytes && now.sha256 === sha256) return undefined;
  const is =
    now.bytes === 0 ? `is empty: ${was}` : `changed since: ${was}, and has ${now.bytes} now`;
  return { path, damaged: now.bytes < bytes, words: `${path} ${is}` };
}
