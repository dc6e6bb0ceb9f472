/**
 * A page of the docs as a script: files that it gives, `<!-- file: name -->` before a block, and the
 * `$ command` lines of its console blocks, in order. Knows no shell: whoever plays it has one.
 */
export interface Stagehand {
  /** A file that the page gives. */
  file(name: string, text: string): void;
  /** What the command prints, both streams as a terminal shows them. */
  shell(command: string): string | Promise<string>;
}

export interface PlayedPage {
  /** The page with what its commands print now. */
  readonly next: string;
  readonly blocks: readonly { readonly was: string; readonly is: string }[];
}

const PARTS = /<!-- file: (\S+) -->\n(`{3,})\w+\n([^]*?)\n\2(?!`)|```console\n([^]*?)\n```/g;

export async function playPage(page: string, by: Stagehand): Promise<PlayedPage> {
  const blocks: { was: string; is: string }[] = [];
  let next = '';
  let at = 0;
  for (const part of page.matchAll(PARTS)) {
    const [whole, file, , text = '', block = ''] = part;
    next += page.slice(at, part.index);
    at = part.index + whole.length;
    if (file !== undefined) {
      by.file(file, `${text}\n`);
      next += whole;
      continue;
    }
    const is = await playBlock(block, by);
    blocks.push({ was: block, is });
    next += `\`\`\`console\n${is}\n\`\`\``;
  }
  return { next: next + page.slice(at), blocks };
}

async function playBlock(block: string, by: Stagehand): Promise<string> {
  const lines: string[] = [];
  for (const line of block.split('\n').filter((one) => one.startsWith('$ '))) {
    const output = await by.shell(line.slice(2));
    lines.push(output === '' ? line : `${line}\n${output}`);
  }
  return lines.join('\n');
}

/** Durations differ from run to run, and the clients that init finds from machine to machine. */
export function steady(text: string): string {
  return text
    .replace(/^found on PATH: .*\n/gm, '')
    .replace(/\bhold \(by [\w.-]+\)/g, 'hold (by you-laptop-0123456789abcdef)')
    .replace(/\d+(\.\d+)? s( \|)?$/gm, '0 s$2')
    .replace(/^( {2}(?:created|claimed|ended) +)\S+Z \([^)]*\)$/gm, '$1<time> (just now)')
    .replace(/^( {2}session +.* (?:resume|--resume|-s) )\S+$/gm, '$1<session>')
    .replace(/^(Used .* in )[\dhms]+\.$/gm, (_, used: string) => `${used}7s.`)
    .replace(/^([a-z_]+ +[a-z0-9_-]+ +)\d+m +/gm, '$1now  ')
    .trimEnd();
}
