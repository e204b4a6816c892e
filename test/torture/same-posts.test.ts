import { join } from 'node:path';
import { expect } from '@jest/globals';
import { testUnless } from '../support/optional.ts';
import { call, message, result } from '../trace/model/store.ts';
import { postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { report } from './notes.ts';
import { startServers } from './servers.ts';

const POSTS = 64;
const ROUNDS = 10;

/** Location of a store, which is deleted with `await using`. */
interface Place extends AsyncDisposable {
  readonly name: string;
}

async function newFile(): Promise<Place> {
  const folder = await newFolder();
  return { ...folder, name: join(folder.path, 'traces.db') };
}

async function newDatabase(): Promise<Place> {
  const server = await startPostgres();
  return { ...server, name: await server.newUrl() };
}

interface PostResult {
  /** Status, and code of an error. */
  readonly summary: string;
  /** Ids of the receipts. */
  readonly ids: readonly string[];
}

async function post(url: string, { body, headers }: Post): Promise<PostResult> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { id, blocks = [{ id }], error } = await response.json();
  if (error) return { summary: `${response.status} ${error.code}`, ids: [] };
  return { summary: String(response.status), ids: blocks.map((block: { readonly id: string }) => block.id) };
}

async function storedAt(url: string): Promise<string[]> {
  const { blocks } = await (await fetch(`${url}/blocks`)).json();
  return blocks.map((block: { readonly id: string }) => block.id);
}

interface Post {
  readonly body: object;
  readonly headers?: Record<string, string>;
}

/** Bodies for a trace with a message and a call, and the response to all posts except the first. */
const posts: readonly (readonly [what: string, post: (id: string) => Post, others: string])[] = [
  ['a block with its id', (id) => ({ body: message({ id: `tb_${id}` }) }), '200'],
  ['a batch', (id) => ({ body: { blocks: [1, 2, 3].map((place) => message({ id: `tb_${id}_${place}` })) } }), '200'],
  ['an Idempotency-Key', (id) => ({ body: message(), headers: { 'Idempotency-Key': id } }), '200'],
  ['a call without id', (id) => ({ body: call({ parent_block_id: `tb_${id}_m` }) }), '409 DUPLICATE_CALL_ID'],
  [
    'a part of a result without id',
    (id) => ({ body: result({ parent_block_id: `tb_${id}_c`, payload: { seq: 0, output: 'a' } }) }),
    '409 DUPLICATE_RESULT_SEQ',
  ],
];

/** First blocks of a trace. */
const beginning = (id: string): Post => {
  const parts = { id: `tb_${id}_c`, parent_block_id: `tb_${id}_m`, payload: { name: 'look', arguments: {} } };
  return { body: { blocks: [message({ id: `tb_${id}_m` }), call(parts)] } };
};

const tally = (results: readonly PostResult[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { summary } of results) counts[summary] = (counts[summary] ?? 0) + 1;
  return counts;
};

/** Checks that one of many equal posts writes, and that all successful responses are equal to its response. */
async function postTogether(urls: readonly string[], id: string, body: Post, others: string): Promise<void> {
  await post(urls[0] ?? '', { body: { id } });
  const traces = urls.map((url) => `${url}/${id}`);
  await post(`${traces[0]}/blocks`, beginning(id));

  const results = await Promise.all(
    Array.from({ length: POSTS }, (_, number) => post(`${traces[number % traces.length]}/blocks`, body)),
  );

  const written = results.find(({ summary }) => summary === '201')?.ids ?? [];
  expect(tally(results)).toEqual({ 201: 1, [others]: POSTS - 1 });
  expect(results.filter(({ ids }) => ids.length > 0).map(({ ids }) => ids)).toEqual(
    Array(others === '200' ? POSTS : 1).fill(written),
  );
  for (const trace of traces) expect(await storedAt(trace)).toEqual([`tb_${id}_m`, `tb_${id}_c`, ...written]);
}

for (const [what, count, newPlace, missing] of [
  ['one process with a SQLite file', 1, newFile, sqliteMissing],
  ['two processes with one SQLite file', 2, newFile, sqliteMissing],
  ['two processes with one PostgreSQL database', 2, newDatabase, postgresMissing],
] as const) {
  testUnless(missing)(`writes one of ${POSTS} equal concurrent posts to ${what}`, async () => {
    await using place = await newPlace();
    await using servers = await startServers(place.name, count);

    for (const [kind, [, bodyOf, others]] of posts.entries()) {
      for (let round = 0; round < ROUNDS; round++) {
        const id = `tr_${kind}_${round}`;
        await postTogether(servers.urls, id, bodyOf(id), others);
      }
    }

    expect(await servers.verify()).toEqual([]);
    report(`${what}: ${posts.length * ROUNDS} times ${POSTS} equal posts, one 201 each`);
  });
}
