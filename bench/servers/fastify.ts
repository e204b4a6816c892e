/** The measured routes on Fastify, in its usual style: validation by its schemas; the work is in `bare-sessions.ts`. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { call, create, promptOf, sessions } from './bare-sessions.ts';

/** The used part of Fastify's API. Fastify is not a dependency: the argument is the path of its module. */
interface FastifyRequest {
  headers: { 'x-session-id': string };
  body: Record<string, unknown>;
}
interface FastifyReply {
  raw: ServerResponse;
  hijack(): void;
  code(status: number): FastifyReply;
  send(value: object): FastifyReply;
}
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
interface App {
  get(path: string, options: object, handler: Handler): void;
  post(path: string, options: object, handler: Handler): void;
  listen(options: object): Promise<string>;
}

const { default: fastify } = await import(String(process.argv[2]));
const app: App = fastify({
  bodyLimit: 32_000_000,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
});

const text = { type: 'string' };
const headers = { type: 'object', required: ['x-session-id'], properties: { 'x-session-id': text } };
const closed = { type: 'object', additionalProperties: false };
const createBody = {
  ...closed,
  required: ['split', 'index'],
  properties: { env_name: text, split: { const: 'test' }, index: { const: 0 } },
};
const callBody = {
  ...closed,
  required: ['name', 'input'],
  properties: { name: text, input: { type: 'object' }, task_id: { type: ['string', 'null'] } },
};
const block = { type: 'object', properties: { text, detail: { type: 'null' }, type: text } };
const responseSchema = (schema: object) => ({ response: { 200: schema } });
const sidResponse = responseSchema({ type: 'object', properties: { sid: text } });

app.get('/health', {}, () => ({ status: 'ok' }));
app.post('/create_session', { schema: sidResponse }, () => ({ sid: randomUUID() }));
app.post('/create', { schema: { headers, body: createBody, ...sidResponse } }, (request, reply) => {
  const sid = request.headers['x-session-id'];
  if (sessions.has(sid)) return reply.code(400).send({ detail: 'Session already exists' });
  create(sid);
  return { sid };
});
app.get(
  '/bench/prompt',
  { schema: { headers, ...responseSchema({ type: 'array', items: block }) } },
  (request, reply) => {
    const session = sessions.get(request.headers['x-session-id']);
    if (session === undefined) return reply.code(404).send({ detail: 'Session not found' });
    session.seenAt = Date.now();
    return promptOf(session);
  },
);
app.post('/bench/call', { schema: { headers, body: callBody } }, (request, reply) => {
  const sid = request.headers['x-session-id'];
  const session = sessions.get(sid);
  if (session === undefined) return reply.code(404).send({ detail: 'Session not found' });
  reply.hijack();
  return call(reply.raw, sid, session, request.body);
});
app.post('/delete', { schema: { headers, ...sidResponse } }, (request, reply) => {
  const sid = request.headers['x-session-id'];
  if (!sessions.delete(sid)) return reply.code(404).send({ detail: 'Session not found' });
  return { sid };
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });
