/** A skill as data: a way of working for several agents. What is too long for a brief is cut. */

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** As shown to people. */
  readonly file: string;
  /** Absolute; where its other files are. Empty where there are none. */
  readonly folder: string;
  readonly body: string;
}

export type SkillText = Omit<Skill, 'file'>;

const DESCRIPTION_CHARS_MAX = 500;
/** Limits of one skill, and of all together. */
export const SKILL_CHARS_MAX = 16_000;
export const SKILLS_CHARS_MAX = 48_000;

export function skillOf(
  named: Pick<Skill, 'name' | 'file' | 'folder'>,
  head: Readonly<Record<string, unknown>>,
  body: string,
): Skill {
  const { description } = head;
  const text = typeof description === 'string' ? description.trim() : '';
  return { ...named, description: text.slice(0, DESCRIPTION_CHARS_MAX), body: body.trim() };
}

/** Their texts for a brief, in their order. */
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
