// Builds the page that `contracts ui` serves, dist/ui: one script, one style, one HTML file and its icon. Names
// have no hash: the server knows each of them, and its files are never kept by a browser.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export async function buildPage(root, dist) {
  // Loaded late: most that use the bundler build no page.
  const { build } = await import('vite');
  const from = join(root, 'src/page/browser');
  // Without the capability there is no page.
  if (!existsSync(from)) return;
  const outDir = join(dist, 'ui');
  await build({
    configFile: false,
    root: from,
    base: './',
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rollupOptions: {
        output: {
          entryFileNames: 'page.js',
          assetFileNames: 'page[extname]',
          codeSplitting: false,
        },
      },
    },
  });
}
