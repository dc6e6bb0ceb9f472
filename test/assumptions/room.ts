/** A workspace in which agents hand in what lies there for them, and keep their briefs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandRoom } from '../support/command-room.ts';

const AGENT = `cp "$CONTRACTS_OUT/brief.md" "brief-$CONTRACTS_TASK.md"
printf -- '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is there\\n\\n' > "$CONTRACTS_OUT/result.md"
cat "says-$CONTRACTS_TASK.md" >> "$CONTRACTS_OUT/result.md" 2>/dev/null || true
`;

export function assumptionsRoom(more = '') {
  const room = commandRoom(
    `${more}adapters:\n  mine: { type: command, run: [sh, .contracts/agent.sh] }\nagents:\n  dev: { adapter: mine }\n`,
  );
  room.write('.contracts/agent.sh', AGENT);
  room.write('there.txt', 'there\n');
  const path = (file: string): string => join(room.root, file);
  return {
    ...room,
    /** A task that says so in its result. */
    task: (id: string, says = '', head = 'plan: shop\n'): void => {
      room.write(`says-${id}.md`, says);
      room.write(
        `active_tasks/ready/${id}/contract.md`,
        `---\nagent: dev\n${head}verify: ["file_exists: there.txt"]\n---\n\n# ${id}\n\n## Success Criteria\n\n- [ ] It is there\n`,
      );
    },
    path,
    has: (file: string): boolean => existsSync(path(file)),
    read: (file: string): string => readFileSync(path(file), 'utf8'),
  };
}

export function assumes(...lines: readonly string[]): string {
  return `## Assumptions\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

export const THREE = assumes(
  'Prices are in euros (confidence 0.4)',
  'One warehouse (confidence 0.3)',
  'Tax is included (confidence 0.5)',
);
