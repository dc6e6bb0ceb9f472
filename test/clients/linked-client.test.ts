/**
 * A client behind links, in our sandbox: however its program is installed, what a shell starts is what
 * the sandbox starts. What it hides is named, and is a fault of the set-up.
 */
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordinaryUser, type OrdinaryUser } from '../support/as-user.ts';
import { clientsMissing, sandboxWorks } from '../support/clients.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { share } from '../support/share.ts';
import { makeStage, type StageOptions } from '../support/stage.ts';
import { putFile } from '../support/sealed-folder.ts';

type Install = NonNullable<StageOptions['install']>;

function put(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

function script(path: string, text: string): void {
  putFile(path, text);
  chmodSync(path, 0o755);
}

/** Links of `paths` below the home, path and target, the last one to the program; the first folder is on PATH. */
const links =
  (on_path: string, ...paths: readonly (readonly [path: string, target: string])[]): Install =>
  (home, programs) => {
    for (const [path, target] of paths) {
      put(join(home, path), target.replace('HOME', home).replace('PROGRAMS', programs));
    }
    return join(home, on_path);
  };

/** A client that is a script: the events of Codex, shortened. */
const FAKE = `echo '{"type":"thread.started","thread_id":"t-1"}'
mkdir -p out; echo Hello > out/greeting.txt
printf '%s\\n' '- Status: COMPLETE' '' '## Success Criteria' '' '- [x] \`out/greeting.txt\` says Hello' > "$CONTRACTS_OUT/result.md"
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
`;

const WAYS: Readonly<Record<string, Install>> = {
  'two links': links(
    '.local/bin',
    ['.local/bin/codex', 'HOME/x/bin/codex'],
    ['x/bin/codex', 'PROGRAMS/codex'],
  ),
  'five links, absolute and relative': links(
    'a',
    ['a/codex', '../b/codex'],
    ['b/codex', 'HOME/c/d/codex'],
    ['c/d/codex', '../../e/f'],
    ['e/f', 'HOME/g/h'],
    ['g/h', 'PROGRAMS/codex'],
  ),
  'a folder in the middle': links(
    'tool/current/bin',
    ['tool/current', 'v2'],
    ['tool/v2/bin/codex', '../lib/codex'],
    ['tool/v2/lib/codex', 'PROGRAMS/codex'],
  ),
  'a folder that links lead out of': links(
    '.local/bin',
    ['.local/bin', '../stow/codex/bin'],
    ['stow/codex/bin/codex', '../lib/main'],
    ['stow/codex/lib/main', 'PROGRAMS/codex'],
  ),
  'a profile': links(
    '.profile/bin',
    ['.profile', '.local/state/profiles/profile'],
    ['.local/state/profiles/profile', 'profile-1-link'],
    ['.local/state/profiles/profile-1-link', 'HOME/store/abc'],
    ['store/abc/bin/codex', 'PROGRAMS/codex'],
  ),
  'a version manager': links(
    '.nvm/current/bin',
    ['.nvm/current', 'HOME/.nvm/versions/v20'],
    ['.nvm/versions/v20/bin/codex', '../lib/codex'],
    ['.nvm/versions/v20/lib/codex', 'PROGRAMS/codex'],
  ),
  'the home itself': links('', ['codex', 'x/bin/codex'], ['x/bin/codex', 'PROGRAMS/codex']),
  'an interpreter': (home) => {
    put(join(home, 'shells/sh'), '../inner/bin/sh');
    put(join(home, 'inner/bin/sh'), '../real/dash');
    mkdirSync(join(home, 'inner/real'));
    copyFileSync('/bin/sh', join(home, 'inner/real/dash'));
    chmodSync(join(home, 'inner/real/dash'), 0o755);
    script(join(home, 'bin/codex'), `#!${home}/shells/sh\n${FAKE}`);
    return join(home, 'bin');
  },
};

const isMissing = clientsMissing(['codex']).length > 0;
const user = isMissing ? undefined : ordinaryUser('codex');
/** Half of the ways, each by one of them, which the commit chooses; at night all by both. */
const PEOPLE: readonly (readonly [string, OrdinaryUser | undefined, number])[] = [
  ['an ordinary user', user, 0],
  ['the user of the tests', undefined, 1],
];

describe.runIf(!isMissing && sandboxWorks(user?.before)).each(PEOPLE)('%s', (_, person, at) => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModel('complete');
  });
  afterAll(() => model.close());
  const stageOf = (install: Install) =>
    makeStage({ client: 'codex', model, story: 'complete', user: person, install });

  test.each(share(Object.entries(WAYS), 2 * PEOPLE.length, at))(
    'behind %s',
    async (_name, install) => {
      const stage = stageOf(install);
      const played = await stage.run();
      expect(played.code === 0 ? '' : played.stdout).toBe('');
      const enforced = expect.arrayContaining(['sandbox']);
      expect(stage.outcome(1)).toMatchObject({ outcome: 'complete', enforced });
    },
  );

  test('what is hidden is named, and uses up no try', async () => {
    const stage = stageOf((home, programs) => {
      put(join(home, 'private/codex'), `${programs}/codex`);
      script(join(home, 'bin/codex'), `#!/bin/sh\nexec '${home}/private/codex' "$@"\n`);
      return join(home, 'bin');
    });
    const played = await stage.run();
    const reason = `codex is not there in the sandbox, which hides ${stage.home}/private/codex`;
    expect(played.code).toBe(3);
    expect(played.lines).toContainEqual(expect.objectContaining({ event: 'fault', reason }));
    expect(stage.outcome(1)).toMatchObject({ outcome: 'interrupted', code: 'fault', reason });
    expect(stage.state()).toBe('ready');
    const tested = await stage.contracts(['agents', 'test', 'builder']);
    expect(tested.stdout + tested.stderr).toContain('which hides');
  });

  test('links that lead in a circle are refused before a call', async () => {
    const stage = stageOf(links('bin', ['bin/codex', '../x/codex'], ['x/codex', '../bin/codex']));
    const played = await stage.run();
    expect(played.stdout).toContain('`codex`, which runs builder, is not installed');
    expect(stage.state()).toBe('ready');
    expect((await stage.contracts(['agents'])).stdout).toMatch(
      /^ +no +builder .*codex is not installed/m,
    );
  });
});
