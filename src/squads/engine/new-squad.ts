/**
 * Makes squads: a folder to fill in, completed aside and renamed, so that it is never half there; or a
 * contract for squad-creator, verified by squad_valid and a person.
 */
import { join } from 'node:path';
import { BUILT_IN_AGENTS } from '../../permissions/core/roles.ts';
import { slugOf } from '../../task/core/model/id.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { SQUAD_NAME } from '../core/squad.ts';
import type { SquadData } from '../core/squad-lines.ts';
import { TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { findSquad } from './find-squads.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { createTask, type Created } from '../../engine/commands/create.ts';

const PLACE = '.contracts/squads';
const TEMPLATE = 'templates/squads/new';
const FILES: readonly string[] = [
  'SQUAD.yaml',
  'agents/maker.md',
  'agents/reviewer.md',
  'skills/how-we-work.md',
  'checklists/done.md',
];

/** The squad of that name that a new one would hide. */
export function hiddenBy(ws: Workspace, name: string): string | undefined {
  const found = findSquad(ws, name);
  if (found === undefined) return undefined;
  return found.source === 'built-in' ? 'the built-in one' : found.file;
}

export function newSquad(ws: Workspace, name: string): Result<SquadData<'squad_made'>> {
  const wrong = unusable(ws, name);
  if (wrong !== undefined) return refused([wrong]);
  const { disk, layout, putting } = ws;
  for (const folder of ['.contracts', PLACE]) {
    if (disk.stat(join(layout.root, folder)) === undefined) disk.mkdir(join(layout.root, folder));
  }
  const squads = join(layout.root, PLACE);
  const prepared = join(squads, `${TEMPORARY}${putting.unique()}`);
  disk.mkdir(prepared);
  const folders = new Set(FILES.map((file) => file.split('/').slice(0, -1).join('/')));
  for (const folder of folders) if (folder !== '') disk.mkdir(join(prepared, folder));
  for (const file of FILES) {
    // Under its own name, the template would be a squad itself.
    const from = join(packageFolder(), TEMPLATE, file === 'SQUAD.yaml' ? 'NEW.yaml' : file);
    const bytes = disk.read(from, TEXT_BYTES_MAX);
    const text = Buffer.from(bytes).toString('utf8').replaceAll('NAME', name);
    disk.create(join(prepared, file), bytesOf(text));
  }
  disk.sync(prepared);
  disk.rename(prepared, join(squads, name));
  disk.sync(squads);
  return ok({ name, made: FILES.map((file) => `${PLACE}/${name}/${file}`) });
}

export interface SquadWish {
  /** Default: made from the domain. */
  readonly name?: string;
  readonly id?: string;
  readonly adapter?: string;
}

export function askForSquad(
  ws: Workspace,
  domain: string,
  { name, id, adapter }: SquadWish,
): Result<Created> {
  const slug = name ?? slugOf(domain);
  const wrong = unusable(ws, slug);
  if (wrong !== undefined) return refused([wrong]);
  const folder = `${PLACE}/${slug}`;
  return createTask(ws, {
    id,
    title: `A squad for ${domain}`,
    objective: `Design the squad \`${slug}\`: a team of agents for ${domain}, as a folder that this tool reads.`,
    requirements: REQUIREMENTS.replaceAll('FOLDER', folder),
    criteria: [
      `\`${folder}/SQUAD.yaml\` is there, and \`squad_valid\` passes`,
      'Every agent has its own instructions and its own purpose',
      'The default executor and the default reviewer are not the same agent',
    ],
    instructions: `Look at a complete squad before you begin: \`contracts squad show marketing\`. The runner checks yours when you have handed it in.`,
    head: {
      agent: 'squad-creator',
      ...(adapter === undefined ? {} : { adapter }),
      deliverables: [`${folder}/SQUAD.yaml`],
      verify: [`squad_valid: ${slug}`],
      quality_gate: [PERSON],
      write: [`${folder}/**`],
    },
  });
}

const REQUIREMENTS = `- \`FOLDER/SQUAD.yaml\`: name, description, tags, agents, categories, default_executor, default_reviewer, contract_type, and plan_template with {{title}} and {{tasks}}.
- \`FOLDER/agents/<name>.md\`: one for each agent that is not a role of the package: front matter with description, then its instructions.
- \`FOLDER/skills/<name>.md\`: methods that several agents use.
- \`FOLDER/checklists/\`, \`tasks/\`, \`templates/\`, \`workflows/\`: as far as the field needs them.
- Ask if you do not know what good work is in this field, or who decides.`;

function unusable(ws: Workspace, name: string): Problem | undefined {
  const file = `${PLACE}/${name}`;
  const fix = 'Choose another name: contracts squad new NAME';
  if (!SQUAD_NAME.test(name) || BUILT_IN_AGENTS.some((one) => one.startsWith(`${name}/`))) {
    return problem({
      code: 'bad_value',
      file: PLACE,
      message: 'not a valid name for a squad',
      found: name,
      expected: 'at most 64 letters, digits and dashes, and no role of the package',
      fix,
    });
  }
  if (ws.disk.stat(join(ws.layout.root, file)) === undefined) {
    const odd = ['.contracts', PLACE].find(
      (folder) => (ws.disk.stat(join(ws.layout.root, folder))?.kind ?? 'folder') !== 'folder',
    );
    if (odd === undefined) return undefined;
    const message = 'this is a link or a file';
    return problem({ code: 'not_a_file', file: odd, message, fix: 'Put a real folder there' });
  }
  const message = 'a squad with this name already exists';
  return problem({ code: 'bad_value', file, message, found: name, fix });
}
