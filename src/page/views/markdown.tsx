/**
 * Markdown of others as elements, never as HTML: tags stay visible as text, a link leads only to the web or a mail,
 * and no picture is loaded.
 */
import { marked, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { Here, Scroll } from './parts.tsx';

/** Signs of emphasis in one paragraph: the parser looks through all of them for each. */
const MARKS_MAX = 1000;
/** Deeper nesting is shown as it is written. */
const DEEPEST = 12;
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;

interface Props {
  readonly text: string;
  /** File that has the whole of it. */
  readonly file?: string;
  /** A line: no block of its own. */
  readonly inline?: boolean;
}

export function Markdown({ text, file = '', inline = false }: Props) {
  const { longest } = useContext(Here);
  const shown = escapeText(text.slice(0, longest), { multiline: true });
  if (inline) return <span>{spansOf(shown)}</span>;
  return (
    <div class="md">
      {blocksOf(shown)}
      {text.length > longest && (
        <p class="note">… cut here{file === '' ? '' : `; whole in ${file}`}</p>
      )}
    </div>
  );
}

function blocksOf(text: string): ComponentChildren {
  // The parser calls itself for each level.
  if (isEndless(text) || /^(?: {0,3}(?:>|[-*+]|\d+[.)]) ?){12}/m.test(text))
    return <pre class="lines">{text}</pre>;
  try {
    return all(marked.lexer(text, { gfm: true }), 0);
  } catch {
    return <pre class="lines">{text}</pre>;
  }
}

const isEndless = (text: string): boolean =>
  text.split(/\n[ \t]*\n/).some((one) => (one.match(/[*_~]/g)?.length ?? 0) > MARKS_MAX);

function spansOf(text: string): ComponentChildren {
  if (isEndless(text)) return text;
  try {
    return all(marked.Lexer.lexInline(text, { gfm: true }), 0);
  } catch {
    return text;
  }
}

const all = (tokens: readonly Token[] | undefined, depth: number): ComponentChildren =>
  tokens?.map((token) => elementOf(token, depth));

function elementOf(token: Token, depth: number): ComponentChildren {
  if (depth > DEEPEST) return token.raw;
  const inner = () => all('tokens' in token ? token.tokens : undefined, depth + 1);
  switch (token.type) {
    case 'heading':
      return <p class="md-heading">{inner()}</p>;
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>;
    case 'code':
      return <pre class="lines">{(token as Tokens.Code).text}</pre>;
    case 'list':
      return listOf(token as Tokens.List, depth);
    case 'table':
      return tableOf(token as Tokens.Table, depth);
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <del>{inner()}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return linkOf((token as Tokens.Link).href, inner() ?? token.raw);
    case 'image':
      return linkOf((token as Tokens.Image).href, `[picture: ${(token as Tokens.Image).text}]`);
    case 'text':
      return 'tokens' in token && token.tokens ? inner() : (token as Tokens.Text).text;
    case 'escape':
      return (token as Tokens.Escape).text;
    default:
      // HTML among them.
      return token.raw;
  }
}

function linkOf(href: string, words: ComponentChildren): ComponentChildren {
  if (!SAFE_LINK.test(href)) return <span>{words}</span>;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {words}
    </a>
  );
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): ComponentChildren {
  const rows = items.map((item) => (
    <li>
      {item.task && <span>{item.checked ? '☑ ' : '☐ '}</span>}
      {all(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      )}
    </li>
  ));
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>;
}

function tableOf({ header, rows }: Tokens.Table, depth: number): ComponentChildren {
  return (
    <Scroll label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }) => (
              <th scope="col">{all(tokens, depth + 1)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map(({ tokens }) => (
                <td>{all(tokens, depth + 1)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
