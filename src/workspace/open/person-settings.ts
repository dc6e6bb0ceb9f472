/** The person's own `contracts/config.yaml` below XDG_CONFIG_HOME, for all workspaces: it only makes limits stricter. */
import * as z from 'zod/mini';
import type { Environment } from '../../process/adapter.ts';
import { lazily } from '../../task/core/base/lazy.ts';
import { NETWORKS } from '../../task/core/model/contract-shape.ts';
import type { Config } from '../../task/core/model/policy.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { ok, problem, refused, type Result } from '../../task/core/model/problem.ts';
import type { Disk } from '../../task/store/disk/disk.ts';
import { issueProblem } from '../../task/text/documents/contract-head.ts';
import { readYaml } from '../../task/text/yaml/yaml-head.ts';
import { readText } from './text-file.ts';

const argv = lazily(() => z.array(z.string()).check(z.minLength(1), z.maxLength(200)));

const address = lazily(() => z.string().check(z.regex(/^https?:\/\/\S+$/)));

const personSchema = lazily(() =>
  z.strictObject({
    v: z.optional(z.literal(1)),
    /** At least this strict everywhere; `none` would loosen. */
    sandbox: z.optional(z.enum(['auto', 'bwrap'])),
    network: z.optional(z.enum(NETWORKS)),
    /** Hidden from agents too, as `hide` of a workspace. */
    hide: z.optional(z.array(z.string()).check(z.maxLength(1000))),
    /** Variables that no workspace passes to agents. */
    withhold: z.optional(z.array(z.string()).check(z.maxLength(1000))),
    /** The adapter where a workspace names none. */
    client: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    /** Before VISUAL and EDITOR; argv. */
    editor: z.optional(argv()),
    /** When a task needs a person; argv: as `on_state`, for every workspace; an address: a POST of JSON. */
    notify: z.optional(z.union([z.enum(['bell', 'desktop']), address(), argv()])),
  }),
);
export type PersonSettings = z.infer<ReturnType<typeof personSchema>>;

/** `path`: of the file, absolute. */
export function personSettings(disk: Disk, path: string): Result<PersonSettings> {
  const text = readText(disk, path, path, { single_link: false });
  if (!text.ok) return text;
  if (text.value.replace(/#.*$/gm, '').trim() === '') return ok({});
  const yaml = readYaml(text.value, path);
  if (!yaml.ok) return yaml;
  const parsed = personSchema().safeParse(yaml.value.head);
  if (parsed.success) return ok(parsed.data);
  return refused(
    parsed.error.issues.map((issue) => {
      if (issue.code !== 'unrecognized_keys') return issueProblem(issue, yaml.value, path);
      const [found = ''] = issue.keys;
      const message = 'unknown key in your own settings, which cannot loosen rules';
      const fix = `${didYouMean(found, Object.keys(personSchema().shape))}Correct or remove it; docs/reference/configuration.md lists all keys`;
      const line = yaml.value.places.get(found)?.line ?? 1;
      return problem({ code: 'unknown_key', file: path, line, message, found, fix });
    }),
  );
}

/** The stricter of both, without the variables that are withheld. */
export function confinedBy(
  person: PersonSettings,
  config: Config,
  env: Environment,
): { person: PersonSettings; config: Config; env: Environment } {
  const { sandbox, withhold = [] } = person;
  const stricter =
    sandbox === 'bwrap' || (sandbox === 'auto' && config.sandbox === 'none')
      ? sandbox
      : config.sandbox;
  const left = Object.entries(env).filter(([name]) => !withhold.includes(name));
  return {
    person,
    config: stricter === config.sandbox ? config : { ...config, sandbox: stricter },
    env: withhold.length === 0 ? env : Object.fromEntries(left),
  };
}
