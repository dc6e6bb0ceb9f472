/**
 * A whole file of YAML, such as the configuration: read under the rules of a front matter, by the plain
 * reader where it is plain. Refused with file, line and column, or read as it is.
 */
import { ok, refused, type Result } from '../../core/model/problem.ts';
import { bareReturn } from '../markdown/encoding.ts';
import { HEAD_CHARS_MAX, PlainLocated, type Located, yamlProblem } from './located.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { parseYamlHead } from './yaml-head.ts';

export function readYaml(text: string, file: string): Result<Located> {
  const bare = bareReturn(text, file);
  if (bare !== undefined) return bare;
  // Not by gray-matter: it would end at the first line of dashes and leave out the rest unsaid.
  // A first line of --- is usual in such files and says nothing.
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const source = plain.startsWith('---\n') ? `#${plain.slice(1)}` : plain;
  if (source.length > HEAD_CHARS_MAX) {
    const message = `the file has more than ${HEAD_CHARS_MAX} characters`;
    return refused({ code: 'too_large', file, message, fix: 'Write less.' });
  }
  const head = readPlainYaml(source);
  if (head !== undefined) return ok(new PlainLocated(source, head));
  try {
    return ok(parseYamlHead(source));
  } catch (error) {
    return refused([yamlProblem(error, source, file)]);
  }
}
