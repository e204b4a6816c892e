import type { Project, ProjectFile } from './project.ts';

const KEPT_OUT = ['.git', '.github', 'node_modules', 'runs', 'conformance', '*.test.*', '.env*', 'Dockerfile', '*.md'];

/** An image that serves the environment, and what is kept out of it. */
export function containerFiles({ name, language, orsKit }: Project): readonly ProjectFile[] {
  // TypeScript is loaded by tsx, which needs an optional package.
  const flags = language === 'ts' ? '--omit=dev' : '--omit=dev --omit=optional';
  // A packed ors-kit of this folder is needed where the packages are installed.
  const packed = /^file:(?!\.\.|\/)(.+)/.exec(orsKit)?.[1];
  const sources = ['package.json', 'package-lock.json', ...(packed === undefined ? [] : [packed])];
  const text = `# docker build -t ${name.toLowerCase()} .
# docker run --rm -p 8080:8080 -e ORS_API_KEYS=me:change-this ${name.toLowerCase()}

FROM node:24-slim AS packages
WORKDIR /app
COPY ${JSON.stringify([...sources, './'])}
RUN npm ci ${flags} --no-audit --no-fund

FROM node:24-slim
# Node does not collect the processes that others leave behind. As the init of a container, tini does, and passes signals on.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
# Outside of the container 127.0.0.1 is reached by nobody. On any other address ors serve insists on keys: ORS_API_KEYS.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
# The files belong to root: the server cannot change them.
USER node
EXPOSE 8080
# Open episodes may end before the server does; give \`docker stop --time\` more than their 25 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \\
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node_modules/.bin/ors", "serve"]
CMD ["environment.${language}"]
`;
  return [
    { path: 'Dockerfile', text },
    { path: '.dockerignore', text: `${KEPT_OUT.join('\n')}\n` },
  ];
}
