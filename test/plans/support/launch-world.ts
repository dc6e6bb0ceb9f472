/** The plan `launch` with a notepad, and one task of it that an agent of a live client is called for. */
import { makeWorld, type World } from '../../support/world.ts';

/** `head`: more lines of the front matter. */
export function launchWorld(task: string, head: string): World {
  const one = makeWorld();
  one.write(
    '.contracts/config.yaml',
    'adapter: me\nadapters:\n  me: { type: claude, run: [sh] }\n',
  );
  one.write('.contracts/plans/launch/notepad.md', 'Kept.\n');
  one.write(
    `active_tasks/ready/${task}/contract.md`,
    `---\nv: 1\ntitle: ${task}\nplan: launch\n${head}\n---\n\n# ${task}\n\n## Success Criteria\n\n- [ ] it is there\n`,
  );
  return one;
}
