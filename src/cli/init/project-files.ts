import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../core/node/index.ts';

const require = createRequire(import.meta.url);

/** Files with the same code in both languages, except for file names; tests of this package run them. */
const CODE = ['environment', 'environment.test', 'tasks'] as const;

/** Name of the environment in these files. */
const EXAMPLE_NAME = "name: 'anagrams'";

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Renders all files of a project. */
export async function projectFiles(project: Project): Promise<readonly ProjectFile[]> {
  const code = await Promise.all(CODE.map((file) => codeFile(file, project)));
  const tsconfig = {
    path: 'tsconfig.json',
    text: `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }, null, 2)}\n`,
  };
  return [
    ...code,
    { path: 'package.json', text: packageJson(project) },
    ...(project.language === 'ts' ? [tsconfig] : []),
    readme(project),
    ...containerFiles(project),
    workflow(project),
    { path: '.gitignore', text: 'node_modules/\nruns/\nconformance/\ntraces.db*\n.env*\n' },
  ];
}

async function codeFile(file: string, { name, language }: Project): Promise<ProjectFile> {
  const text = await readFile(join(PACKAGE_FOLDER, `examples/start/${file}.ts`), 'utf8');
  const named = text.replace(EXAMPLE_NAME, `name: '${name}'`);
  return {
    path: `${file}.${language}`,
    text: language === 'ts' ? named : named.replace(/(from '\.\/[^']+)\.ts'/g, "$1.js'"),
  };
}

const OWN: Record<'optionalDependencies' | 'devDependencies', Record<string, string>> & {
  version: string;
} = require('ors-kit/package.json');

/** Version range of ors-kit for a new project. */
export const OWN_RANGE = `^${OWN.version}`;

/** Returns the versions that this package is tested with. */
const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, OWN.optionalDependencies[name] ?? OWN.devDependencies[name] ?? '*']));

/** Differs from that of `npm start`, so that both can run. */
const CONFORMANCE_PORT = 8090;

/** Renders package.json. */
function packageJson({ name, language, orsKit, needsLibsql }: Project): string {
  const isTyped = language === 'ts';
  const module = `environment.${language}`;
  const server = 'http://127.0.0.1:8080';
  const tested = `http://127.0.0.1:${CONFORMANCE_PORT}`;
  const scripts = {
    start: `ors serve ${module} --traces traces.db`,
    test: isTyped ? 'node --import tsx --test environment.test.ts' : 'node --test environment.test.js',
    ...(isTyped && { types: 'tsc' }),
    validate: `ors validate ${module} --strict`,
    conformance: `ors conformance ${tested} --start "ors serve ${module} --port ${CONFORMANCE_PORT}"`,
    rollout: `ors rollout ${server} --env ${name} --split test --agent oracle --module ${module} --traces ${server}`,
  };
  const packages = [...(needsLibsql ? ['libsql'] : []), ...(isTyped ? ['tsx'] : []), 'zod'];
  const content = {
    // npm does not allow upper case.
    name: name.toLowerCase(),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts,
    dependencies: { 'ors-kit': orsKit, ...versionsOf(...packages) },
    // Avoids a warning of npm; esbuild works without its script.
    allowScripts: { esbuild: false },
    ...(isTyped && { devDependencies: versionsOf('@types/node', 'typescript') }),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Project to create. */
export interface Project {
  /** Name of the package and of its environment. */
  readonly name: string;
  readonly language: 'ts' | 'js';
  /** Dependency in package.json: a version range, or `file:` and the path of a packed ors-kit. */
  readonly orsKit: string;
  /** Node has no SQLite, which traces need. */
  readonly needsLibsql: boolean;
}

/** A file; its path is relative to the project folder. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** Renders README.md. */
export function readme({ name, language }: Project): ProjectFile {
  const types = language === 'ts' ? 'npm run types        # tsc\n' : '';
  const text = `# ${name}

An environment of the Open Reward Standard, created with ors-kit: agents find the
word that some letters form. It is small and complete; replace it with yours.

| File | |
|---|---|
| \`environment.${language}\` | the environment: prompt, tools, rewards, and \`solve\`, the reference solution |
| \`tasks.${language}\` | its tasks; \`publicTask\` in the environment selects what players see of them |
| \`environment.test.${language}\` | its tests: whole episodes, over the wire |
| \`Dockerfile\` | image of the server |
| \`.github/workflows/environment.yml\` | runs on GitHub at every push; needs a committed \`package-lock.json\` |

\`\`\`sh
npm install
npm test
${types}npm run validate     # find mistakes: leaks, rewards, determinism, cleanup
npm run conformance  # check the server against the standard
npm start            # serve it on http://127.0.0.1:8080, and record every episode in traces.db
\`\`\`

While it is served, http://127.0.0.1:8080/ links everything that there is to see: the tasks, episodes to play by hand, the
recorded runs, the operations of the protocol. In another terminal:

\`\`\`sh
npm run rollout                             # run solve on each test task; ends with a link to the run
npx ors-kit play http://127.0.0.1:8080      # play it yourself
npx ors-kit tasks snapshot environment.${language} --out tasks.jsonl   # record the tasks; npx ors-kit tasks diff shows changes
\`\`\`

To play with a model of OpenAI, install its provider (\`npm install @ai-sdk/openai\`); \`npx ors-kit rollout --help\` lists
other models:

\`\`\`sh
OPENAI_API_KEY=... npx ors-kit rollout http://127.0.0.1:8080 --env ${name} --split test --model openai/gpt-5 -n 4 \\
  --traces http://127.0.0.1:8080
\`\`\`

Rewards and results are in the folder \`runs\`, traces in \`traces.db\`. On Node 20, traces need the package libsql: \`npm
install libsql\`.

From Python, with \`pip install ors-sdk\`:

\`\`\`python
from ors.client import ORS

with ORS(base_url="http://127.0.0.1:8080") as client:
    environment = client.environment("${name}")
    with environment.session(environment.list_tasks("test")[0]) as session:
        print(session.get_prompt()[0].text)
        print(session.call_tool("hint", {}).blocks[0].text)
\`\`\`

In a container, other machines can reach the server, so players need a key:

\`\`\`sh
docker build -t ${name.toLowerCase()} .
docker run --rm -p 8080:8080 -e ORS_API_KEYS=me:change-this ${name.toLowerCase()}
\`\`\`
`;
  return { path: 'README.md', text };
}

/** Files that are not copied into the image. */
const IGNORED_FILES = '.git .github node_modules runs conformance traces.db* *.test.* .env* Dockerfile *.md'.split(' ');

/** Renders Dockerfile and .dockerignore. */
export function containerFiles({ name, language, orsKit }: Project): readonly ProjectFile[] {
  // tsx, which loads TypeScript, needs an optional package.
  const flags = language === 'ts' ? '--omit=dev' : '--omit=dev --omit=optional';
  // A packed ors-kit in the project folder must be copied before npm ci.
  const packed = /^file:(?!\.\.|\/)(.+)/.exec(orsKit)?.[1];
  const sources = ['package.json', 'package-lock.json', ...(packed === undefined ? [] : [packed])];
  const text = `# docker build -t ${name.toLowerCase()} .
# docker run --rm -p 8080:8080 -e ORS_API_KEYS=me:change-this ${name.toLowerCase()}

FROM node:24-slim AS packages
WORKDIR /app
COPY ${JSON.stringify([...sources, './'])}
RUN npm ci ${flags} --no-audit --no-fund

FROM node:24-slim
# Node does not reap orphaned processes. tini, as the init process of the container, does, and forwards signals.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
# 127.0.0.1 cannot be reached from outside of the container. On any other address, ors serve requires keys: ORS_API_KEYS.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
# The files belong to root: the server cannot change them.
USER node
EXPOSE 8080
# Open episodes have 25 seconds to finish; use a longer \`docker stop --time\`.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \\
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node_modules/.bin/ors", "serve"]
CMD ["environment.${language}"]
`;
  return [
    { path: 'Dockerfile', text },
    { path: '.dockerignore', text: `${IGNORED_FILES.join('\n')}\n` },
  ];
}

/** Renders the GitHub Action. */
export function workflow({ language }: Project): ProjectFile {
  const steps = [
    'npm ci',
    ...(language === 'ts' ? ['npm run types'] : []),
    'npm test',
    'npm run validate',
    'npm run conformance -- --report conformance',
  ];
  const text = `# Tests and validates the environment, and checks its server against the Open Reward Standard.
name: environment

on: [push, pull_request]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
          cache: npm
${steps.map((step) => `      - run: ${step}\n`).join('')}      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: conformance
          path: conformance
          if-no-files-found: ignore
`;
  return { path: '.github/workflows/environment.yml', text };
}
