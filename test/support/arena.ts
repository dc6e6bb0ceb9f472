/**
 * A workspace for tests with real processes: a racing agent (a sh program) that writes when it
 * starts and ends into a ledger outside of the workspace, tasks made straight into `ready`, and a
 * look at the whole tree. Waits only for files and ends of processes, with a deadline.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATES, type State } from '../../src/task/core/model/state.ts';
import { sealedFolder } from './sealed-folder.ts';

/**
 * $1 is the ledger, $2 the folder of its orders. `start` is written before anybody else is looked
 * for, so that of two runs at once at least one sees the other. Orders are files: `<task>.fails`
 * (the first attempt ends with 1), `naps` (some time passes), `holds` (until `go` is there),
 * `children` (leaves a child in a session of its own).
 */
const AGENT = `ledger=$1 orders=$2
me="$CONTRACTS_TASK $CONTRACTS_ATTEMPT $CONTRACTS_MARK $$"
echo "start $me" >>"$ledger"
grep "^start $CONTRACTS_TASK " "$ledger" | while read -r word task attempt mark pid; do
  [ "$mark" != "$CONTRACTS_MARK" ] || continue
  tr '\\0' '\\n' 2>/dev/null <"/proc/$pid/environ" | grep -qx "CONTRACTS_MARK=$mark" || continue
  echo "overlap $me" >>"$ledger"
done
if [ -e "$orders/$CONTRACTS_TASK.fails" ] && [ "$CONTRACTS_ATTEMPT" = 0001 ]; then
  echo "end $me" >>"$ledger"
  exit 1
fi
if [ -e "$orders/children" ]; then
  setsid sh -c 'echo "child $1 $$" >>"$2"; sleep 300; :' child "$CONTRACTS_TASK $CONTRACTS_ATTEMPT $CONTRACTS_MARK" "$ledger" &
fi
if [ -e "$orders/naps" ]; then
  case $CONTRACTS_MARK in *[0-4]) sleep 0.02 ;; *[5-9ab]) sleep 0.2 ;; *) sleep 0.7 ;; esac
fi
while [ -e "$orders/holds" ] && [ ! -e "$orders/go" ]; do sleep 0.05; done
printf -- '---\\nstatus: COMPLETE\\n---\\n\\n## Success Criteria\\n\\n- [x] It was done\\n' >"$CONTRACTS_OUT/result.md"
echo "end $me" >>"$ledger"
`;

export interface Line {
  readonly word: string;
  readonly task: string;
  readonly attempt: number;
  readonly mark: string;
  readonly pid: number;
}

export interface Arena {
  readonly root: string;
  readonly tasks: string;
  /** Tasks made so far. */
  readonly ids: readonly string[];
  make(extra?: string): string;
  order(name: string): void;
  cancel(name: string): void;
  ledger(): readonly Line[];
}

export function makeArena(config = ''): Arena {
  const base = sealedFolder('race');
  const root = join(base, 'workspace');
  const orders = join(base, 'orders');
  const ledger = join(base, 'ledger');
  const tasks = join(root, 'active_tasks');
  for (const folder of [root, orders, join(root, '.contracts'), tasks]) mkdirSync(folder);
  for (const state of STATES) mkdirSync(join(tasks, state));
  writeFileSync(join(base, 'agent.sh'), AGENT);
  appendFileSync(ledger, '');
  const run = JSON.stringify(['sh', join(base, 'agent.sh'), ledger, orders]);
  writeFileSync(
    join(root, '.contracts/config.yaml'),
    `adapter: racer\nretries_max: 100\nreviews_max: 100\n${config}adapters:\n  racer: { type: command, run: ${run} }\n`,
  );
  writeFileSync(join(root, 'here.txt'), 'A check needs something to look at.\n');
  const ids: string[] = [];
  return {
    root,
    tasks,
    ids,
    make: (extra = 'verify: ["file_exists: here.txt"]\n') => {
      const id = `race_20261121_n${String(ids.length).padStart(4, '0')}_aaaa`;
      const hidden = join(base, id);
      mkdirSync(hidden);
      writeFileSync(join(hidden, 'contract.md'), contractText(id, extra));
      writeFileSync(join(hidden, 'by-hand.txt'), id);
      // Whole before it is seen, as `contracts new` does it.
      renameSync(hidden, join(tasks, 'ready', id));
      ids.push(id);
      return id;
    },
    order: (name) => writeFileSync(join(orders, name), ''),
    cancel: (name) => rmSync(join(orders, name), { force: true }),
    ledger: () => parseLedger(readFileSync(ledger, 'utf8')),
  };
}

export function contractText(id: string, extra: string): string {
  return `---\nv: 1\ntitle: ${id}\n${extra}---\n\n# ${id}\n\n## Objective\n\nBe done once.\n\n## Success Criteria\n\n- [ ] It was done\n`;
}

function parseLedger(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [word = '', task = '', attempt = '', mark = '', pid = ''] = line.split(' ');
      return { word, task, attempt: Number(attempt), mark, pid: Number(pid) };
    });
}

/** The states in which a folder of this name stands. */
export function statesOf(arena: Arena, id: string): State[] {
  return STATES.filter((state) => existsSync(join(arena.tasks, state, id)));
}

/** Numbers in [0, 1) that repeat for a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
