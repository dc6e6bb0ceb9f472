/** JSON as people write it into settings, with comments and trailing commas; undefined for no JSON. */
import { parsedJson } from '../../core/base/json.ts';

const TOKEN = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const STRING_OR_COMMA = /"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g;

export function commentedJson(text: string): unknown {
  const bare = text
    .replace(/^\uFEFF/, '')
    .replaceAll(TOKEN, (token) => (token.startsWith('"') ? token : ' '))
    .replaceAll(STRING_OR_COMMA, (token) => (token.startsWith('"') ? token : ''));
  return parsedJson(bare);
}
