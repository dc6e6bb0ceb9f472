/**
 * An agent that is really called by the built command tries what is not its to do: a person's verbs,
 * with its environment, without it, and for another workspace; and it asks the hook, as a client would.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { BINARY, contractsIn } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('inside');
  contracts('init');
});

const env = { ...sealedEnv(), CONTRACTS_TRUST: '1' };

function contracts(...argv: string[]): string {
  return execFileSync(process.execPath, [BINARY, ...argv], { cwd: root, env, encoding: 'utf8' });
}

const CONTRACT = `---
id: hello
agent: worker
quality_gate: person
---

# Say hello

## Objective

Say hello.

## Success Criteria

- [ ] It is said
`;

const RESULT = `
cat > "$CONTRACTS_OUT/result.md" <<'END'
# Task Result: hello

- Status: COMPLETE

## Success Criteria

- [x] It is said
END
`;

/** Runs the task once; gives what the agent printed. */
function played(script: string, agent = ''): string {
  const config = `adapters:\n  sh: { type: command, run: [sh, agent.sh] }\nagents:\n  worker: { adapter: sh${agent} }\n`;
  writeFileSync(join(root, '.contracts/config.yaml'), config);
  const says = `contracts() { "${process.execPath}" "${BINARY}" "$@"; }\n`;
  writeFileSync(join(root, 'agent.sh'), `${says}${script}\n${RESULT}`);
  mkdirSync(join(root, 'active_tasks/ready/hello'));
  writeFileSync(join(root, 'active_tasks/ready/hello/contract.md'), CONTRACT);
  const { status, stderr } = contractsIn(root, ['run'], { env });
  expect([0, 1], stderr).toContain(status);
  return readFileSync(join(task(), 'attempts/0001/output.log'), 'utf8');
}

const task = (): string => join(root, 'active_tasks/review/hello');
const outcome = (): string => readFileSync(join(task(), 'attempts/0001/outcome.md'), 'utf8');

describe('a person’s verbs', () => {
  test.each([
    ['approve hello'],
    ['abort hello'],
    ['confirm hello'],
    ['note hello "for the next"'],
    ['new "More work" --adapter human'],
    ['step'],
    ['plan start launch'],
    ['plan pause'],
    ['edit hello --set retries_max=9'],
    ['team start pm,qa x --run'],
    ['team discuss review x'],
    ['init .'],
    ['doctor --fix'],
    ['-C . reject hello --json'],
    ['-C"$PWD" approve hello'],
    ['-nC"$PWD" step'],
    ['-C "$ELSEWHERE" approve hello --dir "$PWD"'],
    ['--dir="$ELSEWHERE" --dir="$PWD" approve hello'],
    ['plan status launch --report'],
  ])('contracts %s is refused, and nothing moves', (line) => {
    const elsewhere = 'ELSEWHERE=$(mktemp -d)';
    const said = played(`${elsewhere}; contracts ${line}; echo "code $?"; rmdir "$ELSEWHERE"`);
    expect(said).toContain('code 2');
    expect(said).toContain('reserved for people');
    expect(outcome()).toContain('outcome: complete');
    expect(contracts('list', '--all', '--ids')).toBe('hello\n');
  });

  test('who empties the environment is known by whom it descends from', () => {
    const line = `env -i "${process.execPath}" "${BINARY}" -C "$PWD" approve hello; echo "code $?"`;
    expect(played(line)).toContain('code 2');
    const cleared = `(unset CONTRACTS_TASK CONTRACTS_MARK CONTRACTS_OUT; contracts abort hello); echo "code $?"`;
    rmSync(task(), { recursive: true });
    expect(played(cleared)).toContain('code 2');
  });

  test('reading stays open, and help', () => {
    const said = played(
      'contracts list; contracts wait hello --timeout 1ms; contracts plan list; contracts show hello; contracts approve --help; contracts help states',
    );
    expect(said).toContain('in_progress');
    expect(said).not.toContain('reserved for people');
  });

  test('one that was there before is not its own, wherever it says that its temporary folder is', () => {
    const other = sealedFolder('other');
    contractsIn(other, ['init'], { env });
    contractsIn(other, ['new', 'X', '--id', 'x', '--adapter', 'human'], { env });
    for (const folder of ['/', join(other, '..')]) {
      rmSync(join(root, 'active_tasks'), { recursive: true });
      contracts('init');
      const said = played(`TMPDIR=${folder} contracts -C ${other} confirm x; echo "code $?"`);
      expect(said).toContain('code 2');
    }
    expect(contractsIn(other, ['list', '--state', 'draft', '--ids'], { env }).stdout).toBe('x\n');
  });

  test('a workspace of its own below the temporary folder is open', () => {
    const said = played(
      'own=$(mktemp -d) && cd "$own" && contracts init > init.log && contracts new X --id x --adapter human && contracts confirm x; echo "code $?"; cd / && rm -r "$own"',
    );
    expect(said).toContain('code 0');
  });
});

describe('the hook', () => {
  const ask = (tool: string, input: object): string => {
    const call = JSON.stringify({ tool_name: tool, tool_input: input });
    return `echo '${call}' | contracts hook pre-tool-use --client claude`;
  };

  test('knows what this agent may do, and what it denied is in the outcome', () => {
    const said = played(
      [
        ask('Write', { file_path: 'docs/a.md', content: 'x' }),
        'echo "first is over"',
        ask('Write', { file_path: 'src/a.ts', content: 'x' }),
        ask('Bash', { command: 'git push' }),
      ].join('\n'),
      // No folder: a sandbox would hold that, and the hook would not judge it.
      ', write: ["docs/*.md"], git: [add]',
    );
    expect(said.indexOf('first is over')).toBeLessThan(said.indexOf('"deny"'));
    expect(said).toContain('src/a.ts');
    expect(outcome()).toContain('Write: create src/a.ts: this agent may create docs/*.md');
    expect(outcome()).toContain('Bash: git push: this agent may add');
    expect(outcome()).not.toContain('docs/a.md');
  });
});
