/** Changes of a task: lines with their numbers, under one another or side by side. */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { besides, patchFiles, type PatchFile, type PatchRow } from '../text/patch.ts';
import { Here, Scroll } from './parts.tsx';

export interface PatchProps {
  readonly patch: string;
  readonly split?: boolean;
  /** Content below a row, such as comments. */
  readonly below?: (path: string, row: PatchRow) => ComponentChildren;
  readonly onLine?: (path: string, row: PatchRow) => void;
}

export function Patch(props: PatchProps) {
  const { compact } = useContext(Here);
  const files = patchFiles(props.patch);
  if (compact) return files.map((file) => <Compact key={file.path} file={file} />);
  return files.map((file) => <FilePatch key={file.path} file={file} {...props} />);
}

const KIND: Readonly<Record<string, string>> = {
  '+': 'added',
  '-': 'removed',
  '@': 'hunk',
  '\\': 'remark',
};

/** Lines as git prints them, with their colours. */
function Compact({ file: { path, rows } }: { readonly file: PatchFile }) {
  return (
    <figure class="patch">
      {path !== '' && (
        <figcaption>
          <code>{escapeText(path)}</code>
        </figcaption>
      )}
      <pre>
        {rows.map(({ sign, text }) => {
          const line = `${/[-+]/.test(sign) ? sign : ' '}${escapeText(text, { multiline: true })}\n`;
          return sign === ' ' ? line : <span class={KIND[sign]}>{line}</span>;
        })}
      </pre>
    </figure>
  );
}

function FilePatch({ file, split, below, onLine }: PatchProps & { readonly file: PatchFile }) {
  const { path, rows } = file;
  const label = path === '' ? 'Change' : `Change of ${escapeText(path)}`;
  const number = (row: PatchRow, at: number | undefined): ComponentChildren => {
    if (at === undefined || onLine === undefined) return at;
    const words = `Comment at line ${at} of ${escapeText(path)}`;
    return (
      <button
        type="button"
        class="line-number"
        aria-label={words}
        onClick={() => onLine(path, row)}
      >
        {at}
      </button>
    );
  };
  const words = (row: PatchRow): string => escapeText(row.text, { multiline: true });
  return (
    <figure class="patch">
      {path !== '' && (
        <figcaption>
          <code>{escapeText(path)}</code>
        </figcaption>
      )}
      <Scroll label={label}>
        <table class={split ? 'split' : ''}>
          <tbody>
            {split
              ? besides(rows).map(([was, is]) => (
                  <tr class={was === is ? KIND[was?.sign ?? ''] : 'changed'}>
                    <td class="n">{was?.was}</td>
                    <td class={was?.sign === '-' ? 'removed' : ''}>{was && words(was)}</td>
                    <td class="n">{is && number(is, is.is)}</td>
                    <td class={is?.sign === '+' ? 'added' : ''}>
                      {is && was !== is && words(is)}
                      {is !== undefined && was === is && is.is !== undefined && words(is)}
                      {is && below?.(path, is)}
                    </td>
                  </tr>
                ))
              : rows.map((row) => (
                  <tr class={KIND[row.sign]}>
                    <td class="n">{row.was}</td>
                    <td class="n">{number(row, row.is)}</td>
                    <td>
                      {/[-+]/.test(row.sign) ? row.sign : ' '}
                      {words(row)}
                      {below?.(path, row)}
                    </td>
                  </tr>
                ))}
          </tbody>
        </table>
      </Scroll>
    </figure>
  );
}
