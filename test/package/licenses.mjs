import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../src/viewer/page', import.meta.url));

/** Text that each licence has in some form. */
const TERMS = /permission is hereby granted|redistribution and use in source and binary forms|apache license/i;

/** @returns the packages that the sources of the viewer import, by name. */
function importedByViewer() {
  const files = readdirSync(page, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  const names = files.flatMap((file) =>
    [...readFileSync(join(page, file), 'utf8').matchAll(/(?:from|import) '([^'.][^']*)'/g)].map(([, name]) => name),
  );
  const packages = names.map((name) => name.match(/^(@[^/]+\/)?[^/]+/)[0]);
  return [...new Set(packages)].filter((name) => name !== 'ors-kit').sort();
}

/** Checks that a package, as it is installed, has the licence of each package that is built into it. */
export function checkLicenses(folder) {
  const text = readFileSync(join(folder, 'dist/viewer/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const sections = text.split(/^-{80}$/m).slice(1);
  const found = sections.map((section) => section.match(/^\s*(\S+) \S+ \(.+\)$/m)?.[1]);
  for (const name of importedByViewer()) assert.ok(found.includes(name), `no license of ${name} next to the viewer`);
  for (const [index, section] of sections.entries()) assert.match(section, TERMS, `no terms of ${found[index]}`);
  const swagger = readdirSync(join(folder, 'dist/pages'));
  for (const file of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) assert.ok(swagger.includes(file), file);
}
