/**
 * A skill as data: a way of working that several agents can use, as a folder with SKILL.md, or one
 * file. Pure: whoever reads the files hands over their front matter. A brief has only so much room:
 * what is longer is cut, and where the rest stands is said.
 */

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** As people are shown it. */
  readonly file: string;
  /** Absolute; where its other files lie. Empty where there are none. */
  readonly folder: string;
  readonly body: string;
}

export type SkillText = Omit<Skill, 'file'>;

const DESCRIPTION_CHARS_MAX = 500;
/** Of one skill, and of all together. */
export const SKILL_CHARS_MAX = 16_000;
export const SKILLS_CHARS_MAX = 48_000;

export function skillOf(
  named: Pick<Skill, 'name' | 'file' | 'folder'>,
  head: Readonly<Record<string, unknown>>,
  body: string,
): Skill {
  const said = head['description'];
  const description = typeof said === 'string' ? said.trim().slice(0, DESCRIPTION_CHARS_MAX) : '';
  return { ...named, description, body: body.trim() };
}

/** What a brief says of them, in their order. */
export function skillTexts(skills: readonly Skill[]): readonly SkillText[] {
  let room = SKILLS_CHARS_MAX;
  return skills.map(({ name, description, file, folder, body }) => {
    const most = Math.min(SKILL_CHARS_MAX, room);
    const text = body.length <= most ? body : shortened(body, most, file);
    room -= Math.min(body.length, most);
    return { name, description, folder, body: text };
  });
}

/** Cut at the end of a line. */
function shortened(body: string, most: number, file: string): string {
  const end = body.lastIndexOf('\n', most);
  const kept = body.slice(0, Math.max(0, end)).trimEnd();
  return `${kept}\n\n(Cut here. The rest is in ${file})`.trim();
}
