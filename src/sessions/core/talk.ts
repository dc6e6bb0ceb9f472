/** What was said and done in a session, by the transcript of a client: each of the four has its own shape. Pure. */
import { fields, isFields, type Fields } from '../../task/core/base/json.ts';

/** The prompt as the person wrote it: some put what a hook gave before it. */
export function ownWords(prompt: string): string {
  return prompt.replace(/^\s*<hook_context>[^]*?<\/hook_context>\s*/, '').trim();
}

/** The person's messages in their order, the last text of the agent, and paths as the client has them. */
export function talkOf(lines: readonly unknown[]) {
  const messages = lines.map(messageIn);
  const said = (who: string) =>
    messages.flatMap(({ role, text }) => (role === who && text !== '' ? [text] : []));
  return {
    prompts: said('user'),
    answer: said('assistant').at(-1) ?? '',
    files: messages.flatMap(({ uses }) => uses.flatMap(filesOf)),
  };
}

/** `uses`: it and its parts, each of which may be the use of a tool. */
function messageIn(line: unknown) {
  const whole = fields(line);
  const one = [whole['message'], whole['payload']].find(isFields) ?? whole;
  const { role = fields(one['info'])['role'] ?? one['type'], content = one['parts'] } = one;
  const parts = list(content);
  const said = parts.flatMap(({ type = 'text', text, synthetic }) =>
    /^(?:input_|output_)?text$/.test(String(type)) && synthetic !== true ? [text] : [],
  );
  const all = [content, ...said].filter((text) => typeof text === 'string').map(ownWords);
  const texts = role === 'user' ? all.filter((text) => !OF_CLIENT.test(text)) : all;
  // A note of the client, or what another agent was asked.
  const isOther = whole['isMeta'] === true || whole['isSidechain'] === true;
  return {
    role: isOther ? '' : role === 'gemini' ? 'assistant' : role,
    text: texts.join('\n').trim(),
    uses: [one, ...parts, ...list(one['toolCalls'])],
  };
}

/** Text that a client sends in the person's name: in tags, or the guides of the project. */
const OF_CLIENT = /^\s*(?:<|# AGENTS\.md instructions)/;

const PATH_KEYS = ['file_path', 'filePath', 'absolute_path', 'notebook_path', 'path'];

function filesOf(use: Fields): readonly string[] {
  const { name = use['tool'], input = use['args'] ?? fields(use['state'])['input'] } = use;
  if (typeof name !== 'string' || !/write|edit|replace|patch/i.test(name)) return [];
  const patch = typeof input === 'string' ? input : String(fields(input)['patchText']);
  const named = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)];
  const paths = PATH_KEYS.map((key) => fields(input)[key]);
  return [...paths, ...named.map(([, path]) => path)].filter((one) => typeof one === 'string');
}

const list = (value: unknown): readonly Fields[] => [value].flat().map(fields);

const CORRECTS =
  /^(?:(?:oh|hm+|well|sorry|please|wait|but|ok(?:ay)?)[,.! ]+)*(?:no(?![ -](?:problem|worries|rush|need|one)\b)\b|nope\b|not (?!sure\b|bad\b)|do(?:n['’]t| not)\b|never\b|stop\b|instead\b|actually\b|wrong\b|undo\b|revert\b|(?:that|this|it)(?:['’]s| is) (?:not|wrong)\b|i (?:meant|said|asked)\b|아니|그게 아니|말고|하지\s?마|틀렸|잘못)/i;

/** The person says something against what was done, in English or Korean. */
export function isCorrection(message: string): boolean {
  return CORRECTS.test(message.trim());
}

const SHOWN_MAX = 12;

/** On one line, cut at its end. */
export function brief(text: string, most = 300): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The first prompt of a session asks for something. */
export function correctionsIn(prompts: readonly string[]): readonly string[] {
  const all = prompts.slice(1).filter(isCorrection);
  return all.slice(-SHOWN_MAX).map((one) => brief(one));
}

/** The first prompt, the last ones, and the last answer: 5 KB at most. */
export function summaryOf(prompts: readonly string[], answer: string): string {
  const shown = [...prompts.slice(0, 1), ...prompts.slice(1).slice(1 - SHOWN_MAX)];
  const last = answer === '' ? [] : [`- last answer: ${brief(answer, 1000)}`];
  return [...shown.map((one) => `- asked: ${brief(one)}`), ...last].join('\n');
}
