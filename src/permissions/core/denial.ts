/** Words that refuse the use of a tool, and how they are found again in a client's output. */
const BEGIN = 'contracts: this is outside your permissions. ';
const END = '. Do not look for a way around it.';

export function refusalWords(why: string, desk: string): string {
  return (
    `${BEGIN}${why}${END} Write your results to your desk, ${desk}; if the task cannot ` +
    `be done without this, write that into questions.md there, and stop.`
  );
}

/** undefined where the text quotes no refusal of ours; a client may have cut its end. */
export function ownReason(text: string): string | undefined {
  const from = text.indexOf(BEGIN);
  if (from === -1) return undefined;
  const rest = text.slice(from + BEGIN.length);
  const to = rest.indexOf(END);
  return to === -1 ? rest : rest.slice(0, to);
}

/** For a line about an attempt; undefined where nothing was denied. */
export function deniedWords(denied: readonly string[] = []): string | undefined {
  const [first, ...more] = denied;
  if (first === undefined) return undefined;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `denied ${denied.length} call${more.length === 0 ? '' : 's'}: ${first}${rest}`;
}
