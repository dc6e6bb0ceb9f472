/** Many waiting tasks and one good neighbour: step, list, show and doctor over all of them in a small heap. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { inShell, makeHouse, shellContract } from './house.ts';

export function stepOverMany(count: number, heapMib: number): void {
  const house = makeHouse();
  house.task('held', shellContract('held'), 'draft');
  const contract = shellContract('many', { head: 'depends_on: [held]\nparent: held' });
  for (let n = 0; n < count; n++) {
    const folder = house.path(`active_tasks/ready/t-${n}`);
    mkdirSync(folder);
    writeFileSync(`${folder}/contract.md`, contract.replaceAll('many', `many-${n}`));
  }
  const env = { NODE_OPTIONS: `--max-old-space-size=${heapMib}` };
  const step = inShell(house, '$BIN step --json > said.jsonl', env, 3_000_000);
  expect({ code: step.code, err: step.err }).toEqual({ code: 0, err: '' });
  const lines = house.read('said.jsonl').trimEnd().split('\n');
  expect(lines.filter((line) => line.includes('"waits for held (draft)"'))).toHaveLength(count);
  expect(house.where('good')).toEqual(['done']);
  const list = inShell(house, '$BIN list --ids | wc -l', env, 3_000_000);
  expect(list.out.trim()).toBe(String(count + 1));
  const show = inShell(house, `$BIN show t-${count - 1}`, env, 3_000_000);
  expect(show).toMatchObject({ code: 0, err: '' });
  expect(show.out).toContain('waits for held (draft)');
  const doctor = inShell(house, '$BIN doctor', env, 3_000_000);
  expect(doctor).toMatchObject({ code: 0, err: '' });
  expect(doctor.out).toContain('Nothing is wrong with the tree.');
}
