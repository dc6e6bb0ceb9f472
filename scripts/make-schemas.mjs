// Writes schemas/*.schema.json from the zod shapes of scripts/schemas.ts: JSON Schema draft 7, which
// editors know. `--check` only says which of them are not what the shapes would make.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { loadSource } from './load-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}schemas/`;
const { z, schemasOf, NAMED_PARTS, CAPABILITIES, tableOf, triggersOf, trigger } = await loadSource(
  root,
  `export * as z from 'zod';
  export * from './scripts/schemas.ts';
  export { CAPABILITIES } from './src/capabilities.ts';
  export { tableOf } from './src/workspace/tasks/kinds.ts';
  export { triggersOf } from './src/task/core/model/transitions.ts';
  export { trigger } from './src/task/core/lines/line-parts.ts';`,
);
const { files: SCHEMAS } = await schemasOf(CAPABILITIES);

for (const [id, shape] of Object.entries(NAMED_PARTS)) {
  z.globalRegistry.add(shape, { ...z.globalRegistry.get(shape), id });
}
const options = { ...(await resolveConfig(`${folder}x.json`)), parser: 'json' };
const wanted = new Map();
for (const [name, shipped] of Object.entries(SCHEMAS)) {
  const text = JSON.stringify(schemaOf(name, shipped));
  wanted.set(`${name}.schema.json`, await format(text, options));
}
const found = new Map(
  readdirSync(folder).map((file) => [file, readFileSync(folder + file, 'utf8')]),
);
const stale = [...wanted.keys()].filter((file) => wanted.get(file) !== found.get(file));
const left = [...found.keys()].filter((file) => !wanted.has(file));

if (process.argv.includes('--check')) {
  for (const file of [...stale, ...left]) {
    console.error(`schemas/${file} is not what scripts/schemas.ts makes: npm run schemas`);
  }
  process.exitCode = stale.length + left.length === 0 ? 0 : 1;
} else {
  for (const file of stale) writeFileSync(folder + file, wanted.get(file));
  for (const file of left) rmSync(folder + file);
}

function schemaOf(name, { shape, title, closed }) {
  const { $schema, ...rest } = z.toJSONSchema(shape, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'throw',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === trigger) jsonSchema.enum = triggersOf(tableOf(CAPABILITIES));
      // Keys may be added within a version, and unknown ones are kept.
      if (closed !== true && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
      // The range of a double, which prints nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { $schema, $id: `urn:agent-contracts:v1:${name}`, title, ...rest };
}
