/** A whole file of YAML, such as the configuration, under the rules of a front matter. */
import { ok, refused, type Result } from '../../core/model/problem.ts';
import { bareReturn } from '../markdown/encoding.ts';
import { plainMapping, type Located } from './plain-yaml.ts';
import { HEAD_CHARS_MAX, parseYamlHead, yamlProblem } from './yaml-head.ts';

export function readYaml(text: string, file: string): Result<Located> {
  const bare = bareReturn(text, file);
  if (bare !== undefined) return bare;
  // Not by gray-matter, which ends silently at the first line of dashes. A first one is usual here.
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const source = plain.startsWith('---\n') ? `#${plain.slice(1)}` : plain;
  if (source.length > HEAD_CHARS_MAX) {
    const message = `the file has more than ${HEAD_CHARS_MAX} characters`;
    return refused({ code: 'too_large', file, message, fix: 'Write less.' });
  }
  try {
    return ok(plainMapping(source) ?? parseYamlHead(source));
  } catch (error) {
    return refused([yamlProblem(error, source, file)]);
  }
}
