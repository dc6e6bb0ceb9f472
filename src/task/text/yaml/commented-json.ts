/**
 * JSON as people write it into settings: with comments and trailing commas. Read only, so that nobody
 * writes such a file again and loses them. Pure; what is no JSON even then is undefined.
 */
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
