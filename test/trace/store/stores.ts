import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTraceLimits, type TraceErrorBody, TraceStoreError } from '../../../src/trace/model/index.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../../src/trace/store/index.ts';
import { loadLibsql, loadNodeSqlite } from '../../../src/trace/store/sql/sqlite/engine.ts';
import type { AppendRequest, AppendResult, TraceStore } from '../../../src/trace/store/trace-store.ts';

export const ORG = 'acme';

export type OpenStore = (options?: { readonly now?: () => number }) => Promise<TraceStore>;

/** Reason why SQLite is not available; undefined if it is. */
export const sqliteMissing =
  (loadNodeSqlite() ?? loadLibsql())
    ? undefined
    : `the package libsql is not installed, and this is ${process.version}`;

/** Creates a folder that is deleted when disposed of. */
export async function newFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'ors-traces-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

let emptyDatabase: Promise<Buffer> | undefined;

/** Returns the bytes of the file of an empty store. */
async function createDatabase(): Promise<Buffer> {
  await using folder = await newFolder();
  const path = join(folder.path, 'traces.db');
  const store = await openSqliteStore({ path });
  await store.close();
  return readFile(path);
}

/** Opens an empty store in a new file, which is deleted with it. The file is a copy: creating its tables takes 20 ms. */
export async function openInFile(options: Omit<SqliteStoreOptions, 'path'> = {}): Promise<TraceStore> {
  emptyDatabase ??= createDatabase();
  const folder = await newFolder();
  const path = join(folder.path, 'traces.db');
  await writeFile(path, await emptyDatabase);
  const store = await openSqliteStore({ ...options, path });
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const LIMITS = readTraceLimits({});

/** Writes a body into a trace of the organization. */
export const post = (
  store: TraceStore,
  id: string,
  body: unknown,
  options: Partial<AppendRequest> = {},
): Promise<AppendResult> => store.append(ORG, id, { body, limits: LIMITS, ...options });

/** Creates a trace with the message `tb_msg123` and its child, the call `tb_call123` with the call_id `call_1`. */
export async function openConversation(store: TraceStore, id = 'tr_test'): Promise<string> {
  await store.createTrace(ORG, { id });
  await post(store, id, {
    blocks: [
      { ...message(), id: 'tb_msg123' },
      { ...call(), id: 'tb_call123' },
    ],
  });
  return id;
}

export const message = (content: unknown = "what's the weather?") => ({
  sub_type: 'MESSAGE',
  payload: { role: 'user', content },
});
export const think = (text = 'decide to show forecast in celsius') => ({
  sub_type: 'THINK',
  parent_block_id: 'tb_msg123',
  payload: { text },
});
export const call = (payload: object = { call_id: 'call_1' }) => ({
  sub_type: 'TOOL_CALL',
  parent_block_id: 'tb_msg123',
  payload: { name: 'get_weather', arguments: { city: 'bogotá' }, ...payload },
});
export const result = (payload: object = { output: { forecast: '22°C cloudy' } }, extra: object | null = null) => ({
  sub_type: 'TOOL_RESULT',
  parent_block_id: 'tb_call123',
  payload,
  extra,
});

/** Returns the code with which a promise rejects; any other outcome as text. */
export async function codeOf(answer: Promise<unknown>): Promise<string> {
  try {
    return `no refusal but ${JSON.stringify(await answer)}`;
  } catch (error) {
    return error instanceof TraceStoreError ? error.body.code : String(error);
  }
}

/** Returns the body of an error of the rules. @throws every other error. */
export function toFailure(error: unknown): TraceErrorBody {
  if (error instanceof TraceStoreError) return error.body;
  throw error;
}
