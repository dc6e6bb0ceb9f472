/** The shapes that the package ships, those of all capabilities among them, as `npm run schemas` gathers them. */
import { existsSync, readdirSync } from 'node:fs';
import { linesOf, schemasOf, type MoreShapes } from '../../src/cli/schema/schemas.ts';

const src = new URL('../../src/', import.meta.url);
const files = readdirSync(src)
  .map((folder) => new URL(`${folder}/cli/shapes.ts`, src))
  .filter((file) => existsSync(file));
const found = await Promise.all(
  files.map((file) => import(file.href) as Promise<{ readonly shapes: MoreShapes }>),
);
const all = found.map(({ shapes }) => shapes);

export const SCHEMAS = schemasOf(all);
export const lineSchema = linesOf(all);
