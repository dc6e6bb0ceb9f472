/** The report as text; a part of its own, as its libraries are large. */
import { createHash } from 'node:crypto';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { ReportView } from '../core/model.ts';
import { readReport, type Asked } from '../engine/read-view.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { markdownReport } from '../text/markdown-report.ts';
import css from '../views/page.css';
import { Report } from '../views/report.tsx';

export async function reported(ws: Workspace, asked: Asked, to: 'html' | 'markdown') {
  const view = await readReport(ws, asked);
  const { tasks, problems } = view.board;
  const text = to === 'markdown' ? markdownReport(view) : htmlReport(view);
  return { text, tasks: tasks.length, problems };
}

/** A page for which a browser loads nothing, and of which it runs nothing, whatever it holds. */
function htmlReport(view: ReportView): string {
  const hash = createHash('sha256').update(css).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
  const title = escapeText(view.board.name).replace(
    /[<>&"]/g,
    (char) => `&#${char.charCodeAt(0)};`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="contracts report">
<title>${title}: tasks</title>
<style>${css}</style>
</head>
<body>
${renderToString(h(Report, { view }))}
</body>
</html>
`;
}
