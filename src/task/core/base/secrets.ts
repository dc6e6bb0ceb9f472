/**
 * What a secret looks like in a text: values that were named, as they are written plainly, in JSON, in a
 * URL or in base64, and tokens whose form alone says what they are. Pure. A text is Latin-1, one
 * character for one byte, so that whatever is not UTF-8 survives.
 */

/** In its place. Shorter than any secret. */
export const STARS = '***';
/** Shorter values would turn ordinary words into stars. */
const VALUE_CHARS_MIN = 6;
/** The longest private key that is looked for. */
const KEY_CHARS_MAX = 32 * 1024;
/** How much longer a form of a value can be, with line breaks. */
const LONGER_MAX = 8;
const FOUND_MAX = 20;
const NAMED = 'the value of a variable that agents are given';
/** A form of a value is looked at where its first characters are. */
const BEGINNING = 3;

/** Base64 is written in lines; within JSON they end with `\n`. */
const BREAK = String.raw`(?:\s|\\[nr])*`;
const LINE = String.raw`(?:[\s>]|\\[nr]){1,9}`;
/** Start of a secret: not within a word or a hash; what ends an escape is no word. */
const START = String.raw`(?:(?<![\w-])|(?<=\\[bfnrt]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,8}m))`;
const KEY_LINES = String.raw`(?:${LINE}[\w-]{3,20}: [^\n\\]{1,80}){0,4}${LINE}[A-Za-z0-9+/=]{32,80}(?:${LINE}[A-Za-z0-9+/=]{16,80}){0,300}`;
const KEY_END = String.raw`(?:${LINE}[A-Za-z0-9+/=]{1,80}){0,2}${LINE}-----END[ A-Z0-9]{0,40}-----`;

/** Its name, with what it begins, its pattern; most as gitleaks has them. */
const SHAPES: readonly (readonly [kind: string, beginnings: string, source: string])[] = [
  ['an Anthropic key', 'sk-', String.raw`${START}sk-ant-[\w-]{20,512}`],
  ['an OpenAI key', 'sk-', String.raw`${START}sk-[A-Za-z0-9]{32,128}`],
  [
    'an OpenAI key',
    'sk-',
    String.raw`${START}sk-(?:proj|svcacct|admin)-(?=[\w-]{0,60}[A-Z])[\w-]{32,512}`,
  ],
  ['a GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', 'gh[pousr]_[A-Za-z0-9]{36,255}'],
  ['a GitHub token', 'github_pat_', String.raw`github_pat_\w{22,255}`],
  ['a GitLab token', 'glpat-', String.raw`glpat-[\w-]{20,255}`],
  ['an AWS key', 'AKIA ASIA', String.raw`${START}A[KS]IA[A-Z2-7]{16}(?<!EXAMPLE)(?!\w)`],
  ['a Slack token', 'xox', String.raw`xox[abeoprs]-(?=[0-9A-Za-z-]{0,24}\d)[0-9A-Za-z-]{20,512}`],
  ['an npm token', 'npm_', 'npm_[A-Za-z0-9]{36}'],
  ['a Google key', 'AIza', String.raw`${START}AIza[\w-]{35}`],
  ['a Hugging Face token', 'hf_', 'hf_[A-Za-z]{34}'],
  ['a Stripe key', 'sk_live_ rk_live_', '[rs]k_live_[A-Za-z0-9]{16,255}'],
  [
    'a JSON web token',
    'eyJ',
    String.raw`${START}eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{20,1200}`,
  ],
  [
    'a private key',
    '-----BEGIN',
    `-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----${KEY_LINES}(?:${KEY_END})?`,
  ],
];

interface SecretFound {
  /** In words, with its article. */
  readonly kind: string;
  readonly isNamed: boolean;
  readonly index: number;
  readonly length: number;
}

export interface Secrets {
  /** No secret is longer. */
  readonly longest: number;
  /** The next one at or after that place; of those that begin there the longest. */
  next(text: string, from: number): SecretFound | undefined;
}

/** Tokens by their form, and these values. */
export function secretsOf(values: readonly string[]): Secrets {
  const worthy = [...new Set(values)].filter((value) => value.length >= VALUE_CHARS_MIN);
  const shapes = SHAPES.map(([kind, begins, source]) => formOf(kind, begins.split(' '), source));
  const forms = [...shapes, ...worthy.flatMap(formsOfValue)];
  const beginnings = [...new Set(forms.flatMap((form) => form.beginnings))];
  const begins = new RegExp(beginnings.map(escaped).join('|'), 'g');
  return {
    longest: Math.max(KEY_CHARS_MAX, ...worthy.map((one) => Buffer.byteLength(one) * LONGER_MAX)),
    next: (text, from) => {
      begins.lastIndex = from;
      for (let at = begins.exec(text); at !== null; at = begins.exec(text)) {
        const { index } = at;
        const found = forms.flatMap(({ kind, beginnings, whole }): SecretFound[] => {
          whole.lastIndex = index;
          if (!beginnings.some((one) => text.startsWith(one, index))) return [];
          const length = whole.exec(text)?.[0].length;
          return length === undefined ? [] : [{ kind, isNamed: kind === NAMED, index, length }];
        });
        if (found.length > 0) return found.reduce((a, b) => (b.length > a.length ? b : a));
        begins.lastIndex = index + 1;
      }
      return undefined;
    },
  };
}

export function secretsIn(text: string, secrets: Secrets): readonly SecretFound[] {
  const found: SecretFound[] = [];
  for (let one = secrets.next(text, 0); one !== undefined && found.length < FOUND_MAX;) {
    found.push(one);
    one = secrets.next(text, one.index + one.length);
  }
  return found;
}

/** The text with stars for each of them; the same one where there is none. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  let [kept, from] = ['', 0];
  for (let one = secrets.next(text, 0); one !== undefined; one = secrets.next(text, from)) {
    kept += text.slice(from, one.index) + STARS;
    from = one.index + one.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}

interface Form {
  readonly kind: string;
  readonly beginnings: readonly string[];
  /** Sticky. */
  readonly whole: RegExp;
}

function formOf(kind: string, beginnings: readonly string[], source: string): Form {
  return { kind, beginnings, whole: new RegExp(source, 'y') };
}

function formsOfValue(value: string): readonly Form[] {
  const bytes = Buffer.from(value, 'utf8');
  const url = encodeURIComponent(value);
  const json = Buffer.from(JSON.stringify(value).slice(1, -1), 'utf8').toString('latin1');
  const lower = url.replace(/%../g, (code) => code.toLowerCase());
  const plain = [bytes.toString('latin1'), json, json.replaceAll('/', '\\/'), url, lower];
  const ofValue = (texts: readonly string[], source: string): Form => {
    const beginnings = texts.map((text) => text.slice(0, BEGINNING));
    return formOf(NAMED, beginnings, source);
  };
  const base64 = [0, 1, 2].map((before) => {
    const text = base64Of(bytes, before);
    const ofUrl = text.replaceAll('+', '-').replaceAll('/', '_');
    // Bits of its end are in a character that is shared with what follows.
    const shared = (before + bytes.length) % 3 === 0 ? '' : String.raw`[\w+/-]?`;
    const source = patternOfBase64(text) + shared;
    return ofValue([text, ofUrl, encodeURIComponent(text)], source);
  });
  return [ofValue(plain, plain.map(escaped).join('|')), ...base64];
}

/** Sure letters of it where `before` bytes of something else share its first group of three. */
function base64Of(value: Buffer, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), value]);
  const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6)];
  return all.toString('base64').slice(from, to);
}

function patternOfBase64(text: string): string {
  const forms = Array.from(text, (char) => {
    if (char === '+') return '(?:[+-]|%2[Bb])';
    return char === '/' ? '(?:[/_]|%2[Ff])' : char;
  });
  return forms.join(BREAK);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
