/** Command lines in the words of strangers: offered as checks, never run. Pure. */

const PROGRAMS =
  'npm|pnpm|yarn|npx|bun|bunx|node|deno|pytest|python3?|uv|poetry|tox|ruff|mypy|cargo|go|make|just|mvn|gradle|\\./gradlew|dotnet|rake|bundle|rspec|php|composer|phpunit|swift|xcodebuild|flutter|dart|mix|sbt|ctest|cmake|tsc|eslint|vitest|jest|playwright|docker|terraform|test|bash|sh|curl|openspec|\\./[\\w./-]+\\.sh';
const COMMAND = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:${PROGRAMS})(?: [^\\n\`]{1,200})?$`);
const CODE = /`([^`\n]{3,220})`/g;
/** A program's name alone is a word. */
const ALONE = /^(?:make|pytest|tox|jest|vitest|rspec|phpunit|ctest|mypy|\.\/\S+)$/;

/** Commands in backticks, each once; `whole`: texts that are nothing but a command. */
export function commandsIn(texts: readonly string[], whole: readonly string[] = []): string[] {
  const coded = texts.flatMap((text) => [...text.matchAll(CODE)].map(([, code = '']) => code));
  const bare = whole.map((text) => text.trim().replace(/^(?:run:?\s+)?`?|`?\.?$/gi, ''));
  const all = [...coded, ...bare].map((text) => text.trim());
  return [...new Set(all.filter((one) => COMMAND.test(one) && (/ /.test(one) || ALONE.test(one))))];
}
