/** The runner's own small files (owner, outcome, receipts …): front matter and a free body. */
import { ok, refused, type Result } from '../../core/model/problem.ts';
import { dumpFrontMatter, readFrontMatter, type FrontMatter } from '../yaml/front-matter.ts';

export function renderRecord(head: Record<string, unknown>, body: string): string {
  const text = body.replace(/\r\n?/g, '\n');
  return text === '' ? dumpFrontMatter(head) : `${dumpFrontMatter(head)}\n${text}\n`;
}

export function parseRecord(
  text: string,
  file: string,
): Result<Pick<FrontMatter, 'head' | 'body'>> {
  const front = readFrontMatter(text, file);
  if (!front.ok) return front;
  if (!front.value.present) {
    return refused({
      code: 'front_matter',
      file,
      message: 'the record has no front matter',
      expected: '---',
      fix: 'Restore the file; only the runner writes it.',
    });
  }
  const body = front.value.body.replaceAll('\r\n', '\n');
  const inner = body.startsWith('\n') ? body.slice(1) : body;
  return ok({
    head: front.value.head,
    body: inner.endsWith('\n') ? inner.slice(0, -1) : inner,
  });
}
