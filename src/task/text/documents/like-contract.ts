/** The text of a new contract with the words of one that can be read. Pure. */
import { parseDocument } from 'yaml';

/** Keys of one task alone. */
const OWN_KEYS = ['id', 'created', 'delegated_by'];
const HEAD = /^---\n([^]*?)\n---\n([^]*)$/;

/** `title`: in place of its own, in the head and in its first heading. */
export function likeContract(text: string, title?: string): string {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const [, head = '', body = ''] = HEAD.exec(plain) ?? [];
  const written = parseDocument(head);
  for (const key of OWN_KEYS) written.delete(key);
  if (title !== undefined) written.set('title', title);
  const rest = title === undefined ? body : body.replace(/^# .*$/m, () => `# ${title}`);
  return `---\n${written.toString({ flowCollectionPadding: false }).trimEnd()}\n---\n${rest}`;
}
