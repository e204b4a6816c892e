import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../process/server-process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import type { SampleBlock } from './sample-blocks.ts';
import { openFile } from './sqlite.ts';

const program = fileURLToPath(new URL('../../.cache/phoenix/bin/phoenix', import.meta.url));

/** Reason why Phoenix cannot be measured here. */
export const phoenixMissing = existsSync(program)
  ? undefined
  : 'Arize Phoenix is not installed; run: sh bench/traces/phoenix.sh';

const START_TIMEOUT_MS = 120_000;

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

/** Starts Arize Phoenix on a new SQLite file, with its default settings but without telemetry. */
export async function startPhoenix(): Promise<PeerStore> {
  const folder = createTemporaryFolder();
  const file = folder.path('phoenix.db');
  const [port, grpcPort] = [await freePort(), await freePort()];
  const server = spawn(program, ['serve'], {
    cwd: folder.path('.'),
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder.path('.'),
      PHOENIX_WORKING_DIR: folder.path('.'),
      PHOENIX_SQL_DATABASE_URL: `sqlite:///${file}`,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(grpcPort),
      PHOENIX_TELEMETRY_ENABLED: 'false',
      PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false',
    },
  });
  const exited = once(server, 'exit');
  process.once('exit', () => server.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const isHealthy = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok ?? false;
  for (const end = performance.now() + START_TIMEOUT_MS; !(await isHealthy()); await delay(100)) {
    if (server.exitCode !== null || performance.now() > end) throw new Error('Phoenix did not start');
  }
  const kill = async () => {
    server.kill('SIGKILL');
    await exited;
  };
  const storedIds = async () => {
    using database = await openFile(file);
    return (database.prepare('SELECT span_id FROM spans').all() as { span_id: string }[]).map((row) => row.span_id);
  };
  return {
    write: (client, blocks) => send(url, `client ${client}`, blocks),
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

/** Sends blocks as spans, and retries while Phoenix is overloaded, like exporters of OpenTelemetry. */
async function send(url: string, trace: string, blocks: readonly SampleBlock[]): Promise<void> {
  const body = new Uint8Array(otlpRequest(trace, blocks));
  for (;;) {
    const headers = { 'Content-Type': 'application/x-protobuf' };
    const response = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.ok) return;
    if (response.status !== 503 && response.status !== 429) throw new Error(`${response.status} ${text}`);
    await delay(100);
  }
}

/** The installed version. */
export const phoenixVersion = (): string =>
  /arize-phoenix==(\S+)/.exec(readFileSync(new URL('./phoenix-requirements.txt', import.meta.url), 'utf8'))?.[1] ?? '';

const hash = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);

/** The span id of a block in Phoenix. */
const spanId = (blockId: string): string => hash(blockId, 8);

/** Encodes blocks as an OTLP request in Protobuf: the spans of one trace. */
function otlpRequest(trace: string, blocks: readonly SampleBlock[]): Buffer {
  const traceId = hash(trace, 16);
  const spans = blocks.map((block) => encodeSpan(traceId, block));
  const scopeSpans = Buffer.concat(spans.map((span) => field(2, span)));
  return field(1, field(2, scopeSpans));
}

/**
 * Encodes a span, with the payload of the block as input. Field numbers are from
 * opentelemetry/proto/trace/v1/trace.proto.
 */
function encodeSpan(traceId: string, { id, sub_type, payload }: SampleBlock): Buffer {
  const now = BigInt(Date.now()) * 1_000_000n;
  return Buffer.concat([
    field(1, Buffer.from(traceId, 'hex')),
    field(2, Buffer.from(spanId(id), 'hex')),
    field(5, Buffer.from(sub_type)),
    fixed64(7, now),
    fixed64(8, now + 1_000_000n),
    field(9, attribute('openinference.span.kind', 'CHAIN')),
    field(9, attribute('input.value', JSON.stringify(payload))),
  ]);
}

const attribute = (key: string, value: string): Buffer =>
  Buffer.concat([field(1, Buffer.from(key)), field(2, field(1, Buffer.from(value)))]);

/** Encodes a length-delimited field. */
const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);

function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest > 127 ? 128 : 0));
  }
  return Buffer.from(bytes);
}
