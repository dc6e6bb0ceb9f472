/** Long files first, so that no worker has one left at the end: CI knows no durations of an earlier run. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG } from './sets.ts';

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((name) => moduleId.includes(name));
      return at === -1 ? LONG.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
