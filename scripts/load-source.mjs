// What some source of ours exports, as it is now: bundled in memory, so that no build has to be there.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** `contents`: TypeScript in the folder of the project. */
export async function loadSource(root, contents) {
  const place = JSON.stringify(pathToFileURL(join(root, 'package.json')).href);
  const { outputFiles } = await build({
    loader: { '.css': 'text' },
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // Libraries that are no modules ask for those of Node.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${place});`,
    },
    define: { 'import.meta.url': place },
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
