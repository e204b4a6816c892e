/**
 * The baseline: the measured routes on bare `node:http`, with hand-written validation; the work is in
 * `bare-sessions.ts`.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { call, create, promptOf, sessions } from './bare-sessions.ts';

const maxBody = 32_000_000;

function respond(response: ServerResponse, status: number, value: unknown): unknown {
  const json = JSON.stringify(value);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
  return response.writeHead(status, headers).end(json);
}

function isCall({ name, input, task_id, ...rest }: Record<string, unknown>): boolean {
  const isInput = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isInput && typeof name === 'string' && typeof (task_id ?? '') === 'string' && Object.keys(rest).length === 0;
}

function route({ url, headers }: IncomingMessage, response: ServerResponse, body: Record<string, unknown>): unknown {
  const sid = headers['x-session-id'];
  if (url === '/health') return respond(response, 200, { status: 'ok' });
  if (url === '/create_session') return respond(response, 200, { sid: randomUUID() });
  if (typeof sid !== 'string') return respond(response, 400, { detail: 'X-Session-ID header is required' });
  const session = sessions.get(sid);
  if (url === '/create') {
    if (session !== undefined) return respond(response, 400, { detail: 'Session already exists' });
    if (body.split !== 'test' || body.index !== 0) return respond(response, 400, { detail: 'Invalid split or index' });
    create(sid);
    return respond(response, 200, { sid });
  }
  if (session === undefined) return respond(response, 404, { detail: 'Session not found' });
  if (url === '/bench/call') {
    if (!isCall(body)) return respond(response, 400, { detail: 'The body must be {name, input, task_id?}' });
    return call(response, sid, session, body);
  }
  session.seenAt = Date.now();
  if (url === '/bench/prompt') return respond(response, 200, promptOf(session));
  if (url !== '/delete') return respond(response, 404, { detail: `No route ${url}` });
  sessions.delete(sid);
  return respond(response, 200, { sid });
}

createServer((request, response) => {
  const parts: Buffer[] = [];
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= maxBody) parts.push(part);
  });
  request.on('end', () => {
    if (size > maxBody) return respond(response, 413, { detail: 'Too large' });
    let body: unknown = {};
    try {
      if (size > 0) body = JSON.parse(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString());
    } catch {
      body = undefined;
    }
    if (typeof body !== 'object' || body === null) return respond(response, 400, { detail: 'Not a JSON object' });
    return route(request, response, body as Record<string, unknown>);
  });
}).listen(Number(process.env.PORT), '127.0.0.1', 4096);
