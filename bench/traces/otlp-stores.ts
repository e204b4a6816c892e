import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../process/server-process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { type BlockSpan, otlpRequest, spanId } from './otlp.ts';
import type { SampleBlock } from './sample-blocks.ts';
import { openFile } from './sqlite.ts';

/** A store that is written to and killed. */
export interface PeerStore extends AsyncDisposable {
  /** Resolves when the store has acknowledged all blocks. */
  write(client: number, blocks: readonly SampleBlock[]): Promise<unknown>;
  /** Counts which of these blocks are readable. */
  countStored(ids: ReadonlySet<string>): Promise<number>;
  /** Kills it without a shutdown, like the kernel does when memory runs out. */
  kill(): Promise<void>;
  bytes(): number | Promise<number>;
}

/** A started store that receives spans. */
export interface StartedOtlpStore extends PeerStore {
  readonly url: string;
  /** Resolves when the store has acknowledged all spans. */
  writeSpans(trace: string, spans: readonly BlockSpan[]): Promise<void>;
}

/** A store that receives spans over OTLP, and keeps them in a SQLite file. */
export interface OtlpStore {
  readonly name: 'Phoenix' | 'MLflow';
  /** Program in .cache/<environment>/bin. */
  readonly program: string;
  readonly environment: string;
  readonly requirement: string;
  /** Path that responds once it has started. */
  readonly health: string;
  readonly headers: Readonly<Record<string, string>>;
  args(options: StartOptions): readonly string[];
  env(options: StartOptions): Readonly<Record<string, string>>;
}

interface StartOptions {
  readonly folder: string;
  readonly port: number;
  readonly otherPort: number;
  /** URL of the database. */
  readonly database: string;
}

/** Stores with their default settings, but without telemetry. */
const stores: readonly OtlpStore[] = [
  {
    name: 'Phoenix',
    program: 'phoenix',
    environment: 'phoenix',
    requirement: 'arize-phoenix',
    health: '/healthz',
    headers: {},
    args: () => ['serve'],
    env: ({ folder, port, otherPort, database }) => ({
      PHOENIX_WORKING_DIR: folder,
      PHOENIX_SQL_DATABASE_URL: database,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(otherPort),
      PHOENIX_TELEMETRY_ENABLED: 'false',
      PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false',
    }),
  },
  {
    name: 'MLflow',
    program: 'mlflow',
    environment: 'mlflow',
    requirement: 'mlflow',
    health: '/health',
    // The experiment that exists from the start.
    headers: { 'x-mlflow-experiment-id': '0' },
    args: ({ port, database }) => [
      ...['server', '--backend-store-uri', database],
      ...['--host', '127.0.0.1', '--port', String(port)],
    ],
    env: () => ({ MLFLOW_DISABLE_TELEMETRY: 'true' }),
  },
];

const programOf = ({ environment, program }: OtlpStore): string =>
  fileURLToPath(new URL(`../../.cache/${environment}/bin/${program}`, import.meta.url));

const isInstalled = (store: OtlpStore): boolean => existsSync(programOf(store));

/** The stores that are installed. */
export const installedStores = stores.filter(isInstalled);

/** Reason why no other store can be measured here. */
export const otlpStoresMissing =
  installedStores.length > 0 ? undefined : 'no other trace store is installed; run: sh bench/traces/peers.sh';

/** The installed version, with the name. */
export function titleOf({ name, environment, requirement }: OtlpStore): string {
  const pins = readFileSync(new URL(`./${environment}-requirements.txt`, import.meta.url), 'utf8');
  return `${name} ${new RegExp(`^${requirement}==(\\S+)$`, 'm').exec(pins)?.[1] ?? ''}`.trim();
}

const START_TIMEOUT_MS = 180_000;

/** Starts a store on a new SQLite file. */
export async function startOtlpStore(store: OtlpStore): Promise<StartedOtlpStore> {
  const folder = createTemporaryFolder();
  const file = folder.path('store.db');
  const [port, otherPort] = [await freePort(), await freePort()];
  const options = { folder: folder.path('.'), port, otherPort, database: `sqlite:///${file}` };
  const server = spawn(programOf(store), store.args(options), {
    cwd: options.folder,
    stdio: 'ignore',
    // Some have child processes, which are killed with it.
    detached: true,
    env: { PATH: process.env.PATH, HOME: options.folder, ...store.env(options) },
  });
  const exited = once(server, 'exit');
  const killAll = () => {
    try {
      process.kill(-(server.pid ?? Number.NaN), 'SIGKILL');
    } catch {
      // They have ended.
    }
  };
  process.once('exit', killAll);
  const url = `http://127.0.0.1:${port}`;
  const isHealthy = async () => (await fetch(`${url}${store.health}`).catch(() => undefined))?.ok ?? false;
  for (const end = performance.now() + START_TIMEOUT_MS; !(await isHealthy()); await delay(100)) {
    if (server.exitCode !== null || performance.now() > end) throw new Error(`${store.name} did not start`);
  }
  const kill = async () => {
    killAll();
    await exited;
  };
  const storedIds = async () => {
    using database = await openFile(file);
    return (database.prepare('SELECT span_id FROM spans').all() as { span_id: string }[]).map((row) => row.span_id);
  };
  const writeSpans: StartedOtlpStore['writeSpans'] = (trace, spans) =>
    send(`${url}/v1/traces`, store.headers, otlpRequest(trace, spans));
  return {
    url,
    writeSpans,
    write: (client, blocks) =>
      writeSpans(
        `client ${client}`,
        blocks.map((block) => ({ block })),
      ),
    async countStored(ids) {
      const wanted = new Set([...ids].map(spanId));
      return (await storedIds()).filter((id) => wanted.has(id)).length;
    },
    kill,
    bytes: () => statSync(file).size,
    async [Symbol.asyncDispose]() {
      await kill();
      folder[Symbol.dispose]();
    },
  };
}

/** Sends spans, and retries while the store is overloaded, like exporters of OpenTelemetry. */
async function send(url: string, headers: Readonly<Record<string, string>>, request: Buffer): Promise<void> {
  const body = new Uint8Array(request);
  for (;;) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-protobuf', ...headers },
      body,
    });
    const text = await response.text();
    if (response.ok) return;
    if (response.status !== 503 && response.status !== 429) throw new Error(`${response.status} ${text}`);
    await delay(100);
  }
}
