/** completion: the script by which a shell completes command lines, as it is in templates/completion/. */
import { fromPackage } from '../../engine/setup/add-missing.ts';
import { realDisk } from '../../task/store/disk/real-disk.ts';
import { bare } from '../terminal/verb-context.ts';

export const runs = {
  completion: bare(({ out }, _flags: unknown, shell: 'bash' | 'zsh' | 'fish') => {
    const script = fromPackage(realDisk, `templates/completion/${shell}`);
    out.data({ v: 1, event: 'completion', shell, script });
    out.print(script.trimEnd());
  }),
};
