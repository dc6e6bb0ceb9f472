/** Answers of the page's server: its files, and views of the workspace, which is opened again for each look. */
import { join } from 'node:path';
import type { Call } from '../../cli/startup/verbs-here.ts';
import { questionForm } from '../../engine/queries/same-questions.ts';
import { readLogs } from '../../engine/queries/logs.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { packageFolder } from '../../workspace/open/package-folder.ts';
import { planNames } from '../../plans/engine/start/find-plans.ts';
import { readBoardView, readFigures, readPlans, readReport, readTaskView } from './read-view.ts';
import { change } from './change.ts';
import type { News } from './news.ts';
import type { Sent, Site, Stream } from './serve.ts';

const FILES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/page.js': 'page.js',
  '/page.css': 'page.css',
  '/page.svg': 'page.svg',
};
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};
/** Verbs whose lines the page shows. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  squads: ['squad', 'list'],
  learnings: ['memory', 'show'],
};
/** Lines of one patch; and of a log when it is opened. */
const [PATCH_LINES, LOG_LINES] = [5000, 500];

const json = (value: unknown, status = 200): Sent => ({
  type: 'application/json',
  body: JSON.stringify(value),
  status,
});

/** `call`: calls a verb; `may`: the page may change something. `open` throws where there is no workspace any more. */
export function siteOf(open: () => Workspace, news: News, call: Call, may: boolean): Site {
  return {
    get: async (path, query) => {
      const file = FILES[path];
      if (file !== undefined) return fileOf(file);
      const [, kind, name = ''] = /^\/read\/([a-z]+)(?:\/([^/]+))?$/.exec(path) ?? [];
      const ws = open();
      switch (kind) {
        case 'task': {
          const view = await readTaskView(ws, decodeURIComponent(name), PATCH_LINES);
          return view.ok ? json(view.value) : undefined;
        }
        case 'may':
          return json({ change: may });
        case 'lines':
          return LINES[name] && json((await call(LINES[name])).lines);
        case 'questions':
          return json(questionForm(ws));
        case 'plans':
          return json(readPlans(ws));
        case 'figures':
          return json(readFigures(ws, query.get('plan') ?? undefined, -Infinity));
        case 'whole': {
          const plan = query.get('plan') ?? undefined;
          if (plan !== undefined && !planNames(ws).includes(plan)) return undefined;
          const { tasks, graph } = await readReport(ws, { plan, since_ms: -Infinity, about: '' });
          return json({ graph, stories: tasks.map(({ story }) => story) });
        }
        default:
          return undefined;
      }
    },
    post: async (path, body) => {
      const [, name] = /^\/do\/([a-z-]+)$/.exec(path) ?? [];
      const changed = name && may && (await change(name, body, open, call));
      if (!changed) return undefined;
      news.ring();
      return json(changed.answer, changed.status);
    },
    stream: (path, stream) => {
      if (path === '/events/board') {
        const leave = news.listen((one) => stream.send('board', one));
        stream.signal.addEventListener('abort', leave);
        return true;
      }
      const [, id] = /^\/events\/log\/([^/]+)$/.exec(path) ?? [];
      if (id === undefined) return false;
      follow(open(), decodeURIComponent(id), stream).catch(() => stream.end());
      return true;
    },
  };
}

export const boardReader = (open: () => Workspace) => () => readBoardView(open());

/** Lines as they come, a few milliseconds' worth in an event. */
async function follow(ws: Workspace, id: string, stream: Stream): Promise<void> {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) stream.send('lines', lines);
    lines = [];
  };
  const add = (line: string): void => {
    lines.push(line);
    if (lines.length === 1) setImmediate(flush);
  };
  const read = await readLogs(ws, id, {
    last: LOG_LINES,
    follow: true,
    signal: stream.signal,
    onAttempt: ({ number, kind }) => add(`── ${kind}, attempt ${number}`),
    onLine: (_, line) => add(line),
  });
  flush();
  stream.send('end', read.ok ? read.value.state : 'gone');
  stream.end();
}

function fileOf(name: string): Sent {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
  return { type, body: textIfThere(realDisk, join(packageFolder(), 'dist/ui', name)) ?? '' };
}
