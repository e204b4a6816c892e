/**
 * Responds to each request with all rows of all blocks as JSON: the minimum cost of sending them. Prints its URL, and
 * exits when its standard input ends. The argument is the file or URL of the database.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [, , location = ''] = process.argv;
const read = await (location.startsWith('postgresql:') ? fromPostgres() : fromSqlite());

const server = createServer(async (_request, response) => {
  const body = JSON.stringify(await read());
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.stdin.resume().on('end', () => process.exit());

async function fromSqlite(): Promise<() => unknown> {
  const name: string = 'node:sqlite';
  const { DatabaseSync } = await import(name);
  const select = new DatabaseSync(location).prepare('SELECT * FROM trace_blocks');
  return () => select.all();
}

async function fromPostgres(): Promise<() => unknown> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  return async () => (await client.query('SELECT * FROM trace_blocks')).rows;
}
