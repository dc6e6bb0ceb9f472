/** init --remove: takes back what init added, and says of the rest why it stays. */
import { join } from 'node:path';
import { CLIENT_TYPES } from '../../clients/core/records.ts';
import type { Place } from '../../engine/setup/add-missing.ts';
import { additionsOf, EXCLUDED, PROPOSALS, type Proposal } from '../../engine/setup/offers.ts';
import {
  recordedPlugins,
  removalsOf,
  removePlugin,
  typedOf,
} from '../../engine/setup/client-plugins.ts';
import { preparation, settingsFor } from '../../engine/setup/propose-settings.ts';
import { QUESTIONS } from '../../engine/setup/questions.ts';
import { bareFolders, findAdded, removeFolders, takeBack } from '../../engine/setup/take-back.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Ports } from '../../workspace/open/workspace.ts';
import type { Place as Call } from '../terminal/verb-context.ts';

interface Wanted {
  /** Only these; else all, with the folders of the workspace. */
  readonly agreed: readonly Proposal[] | undefined;
  readonly hooks: boolean;
  readonly isAsked: boolean;
}

export async function removeAdded(
  { out, ask }: Call,
  ports: Ports,
  place: Place,
  { agreed, hooks, isAsked }: Wanted,
): Promise<void> {
  const { root, tasks } = place;
  const isAll = agreed === undefined && !hooks;
  const everywhere = { ...place, clients: CLIENT_TYPES };
  const wanted = isAll ? PROPOSALS : (agreed ?? []);
  const found = findAdded(everywhere, [
    ...(isAll ? [EXCLUDED] : []),
    ...additionsOf(everywhere, wanted, isAll || hooks),
  ]);
  for (const [file, { text }] of found.files)
    out.print(`${text === undefined ? 'removes' : 'takes its lines from'} ${escapeText(file)}`);
  const plugins = wanted.includes('plugin') ? recordedPlugins(place) : [];
  for (const line of plugins.flatMap((one) => typedOf(one, removalsOf(place, one))))
    out.print(`runs ${escapeText(line)}`);
  const asked = isAll ? 'this, and the folders of the workspace where nothing is in them' : 'this';
  if (isAsked && (await ask?.yes(`Take back ${asked}?`, true)) === false) return;
  const taken = takeBack(place, found);
  const stays = plugins.flatMap((one) => removePlugin(place, one));
  const done = { ...taken, by_hand: [...taken.by_hand, ...stays] };
  const bare = isAll ? bareFolders(place, settingsIn(ports, root)) : [];
  removeFolders(place, bare);
  out.data({ v: 1, event: 'taken_back', root, ...done, removed: [...done.removed, ...bare] });
  if (found.files.size + plugins.length + bare.length === 0)
    out.print('Nothing that init added is here.');
  for (const folder of [`${SETTINGS}/`, `${tasks}/`]) {
    if (bare.includes(folder)) out.print(`removed ${folder}`);
    else if (isAll && place.putting.disk.stat(join(root, folder)) !== undefined)
      out.print(`kept ${folder}: it holds tasks, settings or keys of yours`);
  }
  for (const { file, text, why = '' } of done.by_hand) {
    out.print(`${escapeText(file)} stays: ${why}. To be removed by hand:`);
    out.print(escapeText(text, { multiline: true }));
  }
}

/** Lines that `init` may have written, with the adapter that stands there. */
function settingsIn(ports: Ports, root: string): readonly string[] {
  const text = textIfThere(ports.disk, join(root, SETTINGS, 'config.yaml')) ?? '';
  const [, adapter = 'shell'] = /^adapter: (\S+)$/m.exec(text) ?? [];
  const asked = QUESTIONS.map(({ line }) => line);
  const proposed = [...settingsFor(ports.disk, root, adapter), ...preparation(ports, root)];
  return [`adapter: ${adapter}`, ...proposed, ...asked];
}
