/** Which packages a command line needs. By its words alone: a script may need all of them. */
import { shellCommands } from '../../permissions/core/shell-words.ts';

const NODE =
  /^(?:node|np[mx]|pnpm|yarn|bunx?|tsc|tsx|ts-node|vite|vitest|jest|mocha|eslint|prettier|next|nx)$/;
const PYTHON = /^(?:python[\d.]*|pytest|pip[\d.]*|mypy|pyright|ruff|poetry|uv)$/;
const VENDORED = /^(?:php|composer|phpunit|phpstan|go|ruby|bundle|rake|rspec|rails)$/;
/** Any of `folders` holds the packages; `programs` need only this kind. */
const KINDS = [
  { folders: ['node_modules'], install: 'npm ci', programs: NODE },
  { folders: ['.venv', 'venv'], install: 'uv sync', programs: PYTHON },
  { folders: ['vendor'], install: 'composer install', programs: VENDORED },
];

/** Programs that read files, are words of the shell, or have their packages elsewhere. */
const NEED_NONE =
  /^(?:test|\[\[?|true|false|:|echo|printf|cat|ls|e?grep|head|tail|wc|diff|cmp|sort|find|stat|jq|sed|awk|git|cd|export|set|exit|fi|done|cargo|mvn|gradle|dotnet)$/;
const LEADING = /^(?:if|then|elif|else|while|until|do|!|\{|\}|time)$/;
const INSTALLS =
  /(?:^| )(?:install|setup|bootstrap|sync)(?:\.\w+)?(?: |$)|^(?:npm|pnpm|yarn|bun) (?:.* )?(?<!run )(?:ci|i)(?: |$)|^yarn$|^(?:tox|nox|uv run|go mod)(?: |$)/;

/** Packages that must be there before it runs; none where it installs them itself. */
export function neededKinds(command: string): typeof KINDS {
  const calls = shellCommands(command, new Map()).flatMap(({ words }) => {
    const [first, ...args] = words.map(({ text }) => text).filter((one) => !LEADING.test(one));
    const program = first?.slice(first.lastIndexOf('/') + 1);
    return program === undefined || NEED_NONE.test(program) ? [] : [{ program, args }];
  });
  if (calls.some(({ program, args }) => INSTALLS.test([program, ...args].join(' ')))) return [];
  const known = calls.every(({ program }) => KINDS.some(({ programs }) => programs.test(program)));
  return KINDS.filter(({ programs }) => !known || calls.some((one) => programs.test(one.program)));
}
