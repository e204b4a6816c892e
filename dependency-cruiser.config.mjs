/**
 * Allowed imports; ARCHITECTURE.md has the same table. A part may import itself, core, and the parts and packages of its
 * row. Every other import is an error with the name of the rule.
 */
const parts = {
  core: { packages: [] },
  sse: { packages: [] },
  protocol: { parts: ['sse'], generated: ['ors'], packages: [] },
  schema: { parts: ['protocol'], packages: ['ajv', 'ajv-formats'] },
  metrics: { packages: [] },
  http: { parts: ['sse'], packages: ['express', 'express-openapi-validator'] },
  'viewer/server': { packages: [] },
  'viewer/page': {
    parts: ['client', 'protocol', 'sse', 'trace/model'],
    generated: ['ors', 'ors-client', 'trace', 'trace-api-client'],
    packages: ['diff', 'preact', 'temml', 'uplot'],
  },
  environment: { parts: ['protocol', 'schema'], packages: [] },
  telemetry: { packages: ['@opentelemetry/api'] },
  hosting: { parts: ['environment', 'protocol', 'telemetry'], packages: ['tsx'] },
  server: {
    parts: ['protocol', 'environment', 'hosting', 'http', 'metrics', 'sse', 'telemetry', 'viewer/server'],
    generated: ['ors', 'ors-document', 'ors-operations', 'ors-validators'],
    packages: ['@opentelemetry/api', 'pino'],
  },
  client: { parts: ['protocol', 'sse'], generated: ['ors-operations'], packages: ['undici'] },
  sandbox: { packages: [] },
  openapi: { parts: ['sse'], generated: ['ors', 'ors-client'], packages: [] },
  conformance: {
    generated: ['conformance-results', 'conformance-results-validators', 'requirements'],
    packages: ['ajv', 'ajv-formats', 'json-schema-faker'],
  },
  'trace/model': { parts: ['protocol'], generated: ['trace'], packages: [] },
  'trace/conversation': { parts: ['trace/model'], generated: ['trace'], packages: [] },
  'trace/store': { parts: ['protocol', 'trace/model'], generated: ['trace'], packages: ['pg'] },
  'trace/formats': {
    parts: ['protocol', 'trace/conversation', 'trace/model'],
    generated: ['trace', 'trace-validators'],
    packages: ['hyparquet-writer'],
  },
  'trace/fit': { parts: ['protocol', 'trace/model'], generated: ['trace'], packages: [] },
  'trace/api': {
    parts: [
      'http',
      'metrics',
      'protocol',
      'sse',
      'trace/conversation',
      'trace/fit',
      'trace/formats',
      'trace/model',
      'trace/store',
      'viewer/server',
    ],
    generated: ['trace', 'trace-api', 'trace-api-document', 'trace-api-operations', 'trace-validators'],
    packages: [],
  },
  'trace/client': {
    parts: ['protocol', 'trace/conversation', 'trace/fit', 'trace/model'],
    generated: ['trace', 'trace-api-operations'],
    packages: [],
  },
  'trace/recorder': {
    parts: ['protocol', 'trace/api', 'trace/client', 'trace/model'],
    generated: ['trace', 'trace-api-operations'],
    packages: [],
  },
  'trace/server': { parts: ['trace/api', 'trace/recorder', 'trace/store'], packages: [] },
  journal: { parts: ['server', 'trace/store'], packages: [] },
  trial: { parts: ['client', 'environment', 'hosting', 'server'], packages: ['pino'] },
  validate: {
    parts: ['client', 'conformance', 'environment', 'hosting', 'protocol', 'trial'],
    packages: [],
  },
  audit: { parts: ['client', 'conformance', 'environment', 'protocol', 'trial'], packages: [] },
  rollout: {
    parts: ['client', 'conformance', 'environment', 'hosting', 'protocol', 'trace/client', 'trace/model'],
    generated: ['trace'],
    packages: ['undici'],
  },
  testing: { parts: ['client', 'environment', 'protocol', 'server'], packages: ['pino'] },
  'bridges/session': { parts: ['client', 'protocol'], packages: [] },
  'bridges/mcp': {
    parts: ['bridges/session', 'client', 'environment', 'http', 'protocol', 'schema', 'sse'],
    packages: ['undici'],
  },
  'bridges/ai': { parts: ['bridges/session', 'client', 'protocol'], packages: [] },
  'bridges/openai-agents': { parts: ['bridges/session', 'client', 'protocol'], packages: ['@openai/agents-core'] },
  'bridges/replay': {
    parts: ['environment', 'protocol', 'schema', 'trace/fit', 'trace/formats', 'trace/model'],
    generated: ['trace'],
    packages: [],
  },
  generate: {
    packages: [
      '@redocly/openapi-core',
      'ajv',
      'ajv-formats',
      'json-schema-to-typescript',
      'openapi-typescript',
      'typescript',
    ],
  },
  cli: {
    parts: [
      'bridges',
      'client',
      'conformance',
      'environment',
      'generate',
      'hosting',
      'http',
      'journal',
      'protocol',
      'schema',
      'server',
      'sse',
      'trace',
      'rollout',
      'trial',
      'audit',
      'validate',
    ],
    generated: ['trace', 'trace-api-operations'],
    packages: ['commander', 'pino'],
  },
};

const anyOf = (names) => `(${names.join('|')})`;

/** Layers of src/viewer/page from low to high; the fourth has the pages. */
const viewerLayers = [
  ['api'],
  ['parts'],
  ['payload'],
  ['compare', 'environments', 'group', 'playground', 'run', 'runs', 'search', 'trace'],
  ['shell'],
];
/** Every part may import `core`, which contains no code about ORS. */
const lowest = (part) => (part === 'core' ? [] : ['core']);
const packagePaths = (packages) => packages.map((name) => `(^|/)node_modules/(@types/)?${name}/`);

const partRules = Object.entries(parts).flatMap(([part, { parts: others = [], generated = [], packages }]) => [
  {
    name: `${part}-imports-its-row`,
    comment: `src/${part} may import src/${anyOf([part, ...lowest(part), ...others])} and generated/${anyOf(generated)}`,
    severity: 'error',
    from: { path: `^src/${part}/` },
    to: {
      path: '^(src|generated|scripts|test|examples|bench)/',
      pathNot: [
        `^src/${anyOf([part, ...lowest(part), ...others])}/`,
        ...generated.map((name) => `^generated/${name}\\.ts$`),
      ],
    },
  },
  {
    name: `${part}-uses-its-packages`,
    comment: `src/${part} may import the npm packages ${packages.join(', ') || '(none)'}`,
    severity: 'error',
    from: { path: `^src/${part}/` },
    to: { path: '(^|/)node_modules/', pathNot: packagePaths(packages) },
  },
]);

/** Layers of `src/server`, lowest first. A layer imports only itself, lower layers, `settings.ts` and `package.ts`. */
const serverLayers = ['observability', 'limits', 'calls', 'sessions'];

const serverLayerRules = serverLayers.map((layer, index) => ({
  name: `server-${layer}-imports-lower-layers`,
  comment: `layers: ${serverLayers.join(' < ')} < handlers`,
  severity: 'error',
  from: { path: `^src/server/${layer}/` },
  to: {
    path: '^src/server/',
    pathNot: `^src/server/(${anyOf(serverLayers.slice(0, index + 1))}/|(settings|package)\\.ts$)`,
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...partRules,
    {
      name: 'no-cycle',
      comment: 'type imports count too',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'part-imported-by-index',
      comment: 'the public interface of a part is its index.ts',
      severity: 'error',
      from: { path: '^(src/[^/]+|scripts|examples|bench)/' },
      to: {
        path: '^src/[^/]+/.+',
        pathNot: [
          '^src/[^/]+/index\\.ts$',
          '^src/(bridges|trace|viewer)/[^/]+/index\\.ts$',
          '^src/core/node/index\\.ts$',
          '^src/client/formats/index\\.ts$',
          '^$1/',
        ],
      },
    },
    {
      name: 'core-runs-in-browsers',
      comment: 'code that needs Node is in src/core/node',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '^src/core/node/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-core-node-in-browsers',
      severity: 'error',
      from: { path: '^src/(core|client|protocol|sse|trace/(fit|model)|viewer/page)/', pathNot: '^src/core/node/' },
      to: { path: '^src/core/node/' },
    },
    {
      name: 'nested-part-imported-by-index',
      severity: 'error',
      from: { path: '^(src/(bridges|trace|viewer)/[^/]+)/' },
      to: {
        path: '^src/(bridges|trace|viewer)/[^/]+/.+',
        pathNot: ['^src/(bridges|trace|viewer)/[^/]+/index\\.ts$', '^$1/'],
      },
    },
    {
      name: 'author-api-is-three-parts',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^(src|generated)/', pathNot: '^src/(environment|protocol|schema)/index\\.ts$' },
    },
    {
      name: 'cli-imported-by-tests-only',
      comment: 'no other code may import commands',
      severity: 'error',
      from: { pathNot: '^(src/cli|test)/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'express-only-in-http',
      comment: 'only one folder depends on the framework',
      severity: 'error',
      from: { path: '^(src|generated|scripts)/', pathNot: '^src/http/' },
      to: { path: packagePaths(['express', 'express-openapi-validator']) },
    },
    {
      name: 'generated-imports-generated',
      comment: 'generated files import only each other, and src/sse to parse events',
      severity: 'error',
      from: { path: '^generated/' },
      to: { path: '^(src|scripts|test|examples|bench)/', pathNot: '^src/sse/index\\.ts$' },
    },
    {
      name: 'examples-import-the-package-by-name',
      comment: 'examples use only the public interface of the package',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(src|generated|scripts|test|bench|dist)/', dependencyTypesNot: ['aliased'] },
    },
    {
      name: 'resolvable',
      comment: 'the file does not exist, or the package is not installed',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'packages-of-users-are-dependencies',
      comment: 'packages that src imports must be dependencies',
      severity: 'error',
      from: { path: '^(src|generated)/', pathNot: '^src/viewer/page/' },
      // Optional peer dependencies are installed for the tests.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'cli-commands-are-entries',
      comment: 'a command is loaded on use; shared code belongs in a folder beside commands',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: '^src/cli/(main|commands/(audit|traces|tasks))\\.ts$' },
      to: { path: '^src/cli/commands/' },
    },
    ...serverLayerRules,
    {
      name: 'trace-providers-log-through-handles',
      comment: 'readers of model providers know trace handles, not queues and requests',
      severity: 'error',
      from: { path: '^src/trace/client/providers/' },
      to: {
        path: '^src/trace/client/',
        pathNot: ['^src/trace/client/providers/', '^src/trace/client/(log-state|trace-handle)\\.ts$'],
      },
    },
    {
      name: 'trace-operations-imported-by-handler',
      comment: 'operations are the highest layer of the API of traces',
      severity: 'error',
      from: { path: '^src/trace/api/', pathNot: '^src/trace/api/(create-handler\\.ts$|operations/)' },
      to: { path: '^src/trace/api/operations/' },
    },
    {
      name: 'conformance-probe-below-checks',
      comment: 'the HTTP client and the input generator of the suite know no checks and no reports',
      severity: 'error',
      from: { path: '^src/conformance/(inputs|probe)/' },
      to: { path: '^src/conformance/((checks|client|report)/|(check|result|run|select|shared)\\.ts)' },
    },
    {
      name: 'formats-without-the-client',
      comment: 'the formats are an entry of the package without connections',
      severity: 'error',
      from: { path: '^src/client/formats/' },
      to: { path: '^src/client/', pathNot: '^src/client/formats/' },
    },
    {
      name: 'trace-store-engines-are-separate',
      comment: 'an engine of the trace store imports the common SQL, never another engine',
      severity: 'error',
      from: { path: '^src/trace/store/(sql/sqlite|sql/postgres|memory)/' },
      to: { path: '^src/trace/store/(sql/sqlite|sql/postgres|memory)/', pathNot: '^src/trace/store/$1/' },
    },
    {
      name: 'trace-store-sql-knows-no-engine',
      comment: 'statements are the same for all engines; differences are in the dialect',
      severity: 'error',
      from: { path: '^src/trace/store/(sql/)?[^/]+$', pathNot: '^src/trace/store/index\\.ts$' },
      to: { path: '^src/trace/store/(sql/sqlite|sql/postgres|memory)/' },
    },
    ...viewerLayers.slice(0, -1).map((layer, at) => ({
      name: `viewer-layer-${at + 1}-imports-lower-layers`,
      comment: `${layer.join(', ')} in src/viewer/page must not import ${viewerLayers.slice(at + 1).join(', ')}`,
      severity: 'error',
      from: { path: `^src/viewer/page/${anyOf(layer)}/` },
      to: { path: `^src/viewer/page/${anyOf(viewerLayers.slice(at + 1).flat())}/` },
    })),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
  },
};
