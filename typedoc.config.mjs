/** The documentation site (`make docs`): the pages of docs/, and the reference of everything that the package exports. */
import { readFileSync } from 'node:fs';
import { OptionDefaults } from 'typedoc';
import { INDEX, keepCodeInAnchors, load, pages } from './scripts/documentation-site.mjs';

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** @type {import('typedoc').TypeDocOptions} */
export default {
  name: 'ors-kit',
  entryPoints: Object.values(exports)
    .flatMap(({ types = [] }) => types)
    .map((file) => file.replace('./dist/', '').replace('.d.ts', '.ts')),
  readme: INDEX,
  projectDocuments: pages,
  tsconfig: 'tsconfig.build.json',
  // `make types` reports them.
  skipErrorChecking: true,
  out: 'site',
  plugin: [load],
  // The plugin expects HTML without line breaks between elements.
  pretty: false,
  router: 'site',
  theme: 'site',
  customCss: 'scripts/documentation-site.css',
  favicon: 'src/viewer/page/icon.svg',
  // Pages begin with their own title.
  headings: { readme: false, document: false },
  lightHighlightTheme: 'github-light-high-contrast',
  darkHighlightTheme: 'github-dark-high-contrast',
  highlightLanguages: ['bash', 'javascript', 'json', 'python', 'typescript', 'yaml'],
  markdownItLoader: keepCodeInAnchors,
  searchInComments: true,
  searchInDocuments: true,
  excludeInternal: true,
  disableSources: true,
  // The generated types have the first three.
  blockTags: ['@description', '@constant', '@maxItems', ...OptionDefaults.blockTags],
  requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable'],
  // Their members are described in the specification.
  intentionallyNotDocumented: ['components', 'operations', 'paths'].map((name) => `ors-kit/openapi.${name}`),
  validation: { notExported: false, invalidLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  logLevel: 'Warn',
};
