/** What each built-in role may do. The file of an agent, or the configuration, overrides its row. */
import {
  GIT_OPERATIONS,
  OPEN,
  READ_ONLY,
  type Permissions,
} from '../../task/core/model/permissions.ts';

import type { Contract } from '../../task/core/model/contract.ts';

export interface RoleRow {
  readonly permissions: Permissions;
  /** Gives work to others, so its brief has the protocol for that. */
  readonly orchestrates: boolean;
}

interface Row extends Partial<Omit<Permissions, 'strength'>> {
  readonly orchestrates?: true;
}

const PLAN = '.contracts/plans/*';
/** In a plan; they are only appended to. */
export const NOTEPAD_FILES: readonly string[] = [`${PLAN}/notepad.md`, `${PLAN}/notepads/**`];
const CODE = ['**'];

const CI = [
  '.github/**',
  '.gitlab-ci.yml',
  '.gitlab/**',
  '.circleci/**',
  '.buildkite/**',
  '.ci/**',
  '.travis.yml',
  'Jenkinsfile',
  'azure-pipelines.yml',
  '**/Dockerfile',
  '**/Dockerfile.*',
  '**/.dockerignore',
  '**/docker-compose.*',
];
const MIGRATIONS = ['**/migrations/**', '**/schema.*', 'supabase/**'];
const DESIGN = ['**/*.css', '**/*.scss', '**/design-tokens/**', '**/components/**/*.tsx'];

const files = (...globs: readonly string[]) => ({ write: globs, create: globs });
const notes = (...globs: readonly string[]) => ({ append: globs });

const LOOKS: Row = {};
const ORCHESTRATES: Row = { orchestrates: true, ...notes(...NOTEPAD_FILES, `${PLAN}/runs/**`) };
const PLANS: Row = {
  orchestrates: true,
  ...files(`${PLAN}/plan.md`, '.contracts/drafts/*'),
  ...notes(`${PLAN}/drafts/**`),
};
const IMPLEMENTS: Row = {
  write: [...CODE, `${PLAN}/stories/**`],
  create: CODE,
  ...notes(...NOTEPAD_FILES),
  git: ['add', 'commit', 'branch', 'stash'],
};
const KNOWS: Row = files('docs/**', '.contracts/memory/candidates/**');

/** In the order in which people see them; the chief of staff also by its full name. */
const ROWS: Readonly<Record<string, Row>> = {
  oracle: ORCHESTRATES,
  builder: OPEN,
  janitor: LOOKS,
  designer: files(...DESIGN, 'docs/**', 'design/**'),
  scout: notes('docs/**', `${PLAN}/research/**`),
  librarian: KNOWS,
  kord: { ...files(...CODE), orchestrates: true },
  plan: PLANS,
  'plan-analyzer': LOOKS,
  'plan-reviewer': LOOKS,
  'devil-s-advocate': LOOKS,
  build: ORCHESTRATES,
  dev: IMPLEMENTS,
  'dev-junior': { ...IMPLEMENTS, git: ['add', 'commit'] },
  qa: { write: [`${PLAN}/stories/**`], ...notes(`${PLAN}/reviews/**`) },
  architect: files(`${PLAN}/adrs/**`, `${PLAN}/architecture/**`, `${PLAN}/architecture.md`),
  analyst: notes(`${PLAN}/research/**`),
  sm: files(`${PLAN}/stories/**`),
  pm: files(`${PLAN}/prd.md`, `${PLAN}/prd/**`),
  po: { write: [`${PLAN}/stories/**`] },
  devops: { ...files(...CI), git: GIT_OPERATIONS.filter((one) => one !== 'config') },
  'data-engineer': { ...files(...MIGRATIONS), git: ['add'] },
  'ux-design-expert': { ...files(...DESIGN), git: ['add'] },
  explore: LOOKS,
  vision: LOOKS,
  'squad-creator': files('.contracts/squads/**'),
  'chief-of-staff': ORCHESTRATES,
  'chief-of-staff/chief-of-staff': ORCHESTRATES,
  'chief-of-staff/interviewer': LOOKS,
  'chief-of-staff/spec-writer': files('docs/**', 'specs/**', `${PLAN}/specs/**`),
  'chief-of-staff/planner': PLANS,
  'chief-of-staff/validator': LOOKS,
  'chief-of-staff/executor': IMPLEMENTS,
  'chief-of-staff/memory-catcher': files('.contracts/memory/candidates/**'),
  'chief-of-staff/oracle': LOOKS,
  'chief-of-staff/explore': LOOKS,
  'chief-of-staff/librarian': KNOWS,
};

export const ROLES: ReadonlyMap<string, RoleRow> = new Map(
  Object.entries(ROWS).map(([name, { orchestrates = false, ...own }]) => [
    name,
    { permissions: { ...READ_ONLY, ...own }, orchestrates },
  ]),
);

/** Agents of the package, described in templates/agents/<name>.md. */
export const BUILT_IN_AGENTS: readonly string[] = Object.keys(ROWS).filter(
  (name) => name !== 'chief-of-staff/chief-of-staff',
);

/** Documents are no code, nor is what delivers it. */
export function isCode(globs: readonly string[]): boolean {
  const isNone = (glob: string): boolean => /^(?:\.contracts|docs|specs)\/|\.md$/.test(glob);
  return globs.some((glob) => !isNone(glob) && !CI.includes(glob));
}

interface Named {
  readonly name: string;
  readonly definition?: { readonly name: string; readonly foreign?: boolean } | undefined;
}

/** undefined for an agent without a row; `foreign` ones have none. */
export function rowOf({ name, definition }: Named): RoleRow | undefined {
  return definition?.foreign === true ? undefined : ROLES.get(definition?.name ?? name);
}

const OF_PLANS = `${PLAN}/`;
const NAMED_PLAN = /^\.contracts\/plans\/(\w[\w.-]*)\//;
/** Name that is one folder: no pattern, and no way up. */
const PLAN_FOLDER = /^\w[\w.-]*$/;

/** Narrows a glob below every plan to the plan of the task, or the one that it is to write. */
export function ofTask(permissions: Permissions, { head }: Contract): Permissions {
  const named = head.deliverables.flatMap((glob) => NAMED_PLAN.exec(glob)?.[1] ?? []);
  const plans = [...new Set([head.plan ?? [], named].flat())];
  const folders = plans.filter((plan) => PLAN_FOLDER.test(plan));
  const own = (globs: readonly string[]): readonly string[] =>
    globs.flatMap((glob) =>
      glob.startsWith(OF_PLANS)
        ? folders.map((plan) => `${PLAN.slice(0, -1)}${plan}/${glob.slice(OF_PLANS.length)}`)
        : [glob],
    );
  const { write, create, delete: remove, append } = permissions;
  // Who is to begin a plan names none yet; notes are of a plan in any case.
  if (plans.length === 0) return { ...permissions, append: own(append) };
  return {
    ...permissions,
    write: own(write),
    create: own(create),
    delete: own(remove),
    append: own(append),
  };
}
