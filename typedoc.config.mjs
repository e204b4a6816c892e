/** The API reference (`make docs`): everything that the entries of the package export. */
import { readFileSync } from 'node:fs';
import { OptionDefaults } from 'typedoc';

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** @type {import('typedoc').TypeDocOptions} */
export default {
  name: 'ors-kit',
  entryPoints: Object.values(exports)
    .flatMap(({ types = [] }) => types)
    .map((file) => file.replace('./dist/', '').replace('.d.ts', '.ts')),
  tsconfig: 'tsconfig.build.json',
  // `make types` reports them.
  skipErrorChecking: true,
  out: 'docs/api',
  readme: 'none',
  excludeInternal: true,
  disableSources: true,
  // The generated types have the first three.
  blockTags: ['@description', '@constant', '@maxItems', ...OptionDefaults.blockTags],
  requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable'],
  // Their members are described in the specification.
  intentionallyNotDocumented: ['openapi.components', 'openapi.operations', 'openapi.paths'],
  validation: { notExported: false, invalidLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  logLevel: 'Warn',
};
