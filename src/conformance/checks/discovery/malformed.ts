import { previewJson, truncate } from '../../../core/index.ts';
import type { Probe, RequestOptions } from '../../probe/index.ts';
import { NO_SESSION } from './requests.ts';

/** A request that is wrong in its form. */
export interface MalformedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  /** Default: application/json where there is a body. */
  readonly contentType?: string;
  readonly headers?: RequestOptions['headers'];
  /** `issued`: an id without episode; `open`: that of an episode; anything else is sent as it is. */
  readonly session?: string;
  /** The path is sent exactly as it is, `..` too; only without a body. */
  readonly asText?: true;
}

/** The request in one line, for a message. */
export function describeRequest({ method, path, body, contentType, headers = [], session }: MalformedRequest): string {
  const parts = [`${method} ${truncate(path, 200)}`];
  if (body !== undefined) parts.push(`with the body ${typeof body === 'string' ? previewJson(body) : bytes(body)}`);
  if (contentType !== undefined) parts.push(`as '${contentType}'`);
  if (session !== undefined) parts.push(`with the session ${previewJson(session, 60)}`);
  for (const [name, value] of headers) parts.push(`with ${name}: ${truncate(value, 60)}`);
  return parts.join(' ');
}

const bytes = (body: Uint8Array) => `of the bytes ${Buffer.from(body.subarray(0, 40)).toString('hex')}`;

export const NESTING_DEPTH = 5_000;
export const LONG_STRING_LENGTH = 65_536;
export const LONG_PATH_LENGTH = 4_000;

/** Well-known ways to upset a server: three dozen requests, the same every time. */
export function knownMalformedRequests(probe: Probe): MalformedRequest[] {
  const split = JSON.stringify(probe.environment.split?.name ?? 'train');
  const post = (action: string, body: string | Uint8Array, more: Partial<MalformedRequest> = {}): MalformedRequest => {
    return { method: 'POST', path: probe.path(action), body, ...more };
  };
  const get = (path: string): MalformedRequest => ({ method: 'GET', path });
  const create = (body: string) => ({ method: 'POST', path: '/create', session: 'issued', body });
  const call = (body: string) => post('call', body, { session: 'open' });
  const wellFormed = `{"split":${split}}`;
  return [
    ...['1e400', 'NaN', '"\\ud800"', '"\\u0000"', `"${'x'.repeat(LONG_STRING_LENGTH)}"`].map((value) =>
      post('num_tasks', `{"split":${value}}`),
    ),
    post('num_tasks', `{"split":${'['.repeat(NESTING_DEPTH)}${']'.repeat(NESTING_DEPTH)}}`),
    post('num_tasks', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    ...['"text"', '5', '{"__proto__":{"split":5}}', `{"split":${split},"split":5}`].map((body) => post('tasks', body)),
    ...['{}', '[]', '"\\ud800"', '-1e400', 'Infinity'].map((index) =>
      post('task', `{"split":${split},"index":${index}}`),
    ),
    ...['1e400', '-1e20', '1000000000000', '"\\udc00"'].map((start) =>
      post('task_range', `{"split":${split},"start":${start}}`),
    ),
    ...['application/json; charset=bogus', 'multipart/form-data', 'text', ''].map((contentType) =>
      post('num_tasks', wellFormed, { contentType }),
    ),
    post('num_tasks', wellFormed, { headers: [['Content-Encoding', 'bogus']] }),
    post('num_tasks', wellFormed, { headers: [['Content-Encoding', 'gzip']] }),
    ...[
      '{"task_spec":5}',
      '{"task_spec":{},"secrets":[1e400]}',
      `{"split":${split},"index":NaN}`,
      '{"env_name":{}}',
    ].map(create),
    ...[
      '{"name":5,"input":[]}',
      '{"name":"\\ud800","input":{}}',
      '{"name":"conformance-no-such-tool","input":1e400}',
    ].map(call),
    { method: 'POST', path: '/ping', body: '{', session: NO_SESSION },
    { method: 'POST', path: probe.path('num_tasks') },
    { method: 'POST', path: '/create', session: 'issued' },
    { method: 'POST', path: probe.path('call'), session: 'open' },
    ...[
      '/conformance-no-such-route',
      '/%00',
      '/%ff',
      '/%zz',
      `${probe.path('tools')}/%ff`,
      `/${'x'.repeat(LONG_PATH_LENGTH)}`,
    ].map(get),
    ...['%00', '%ff', '..%2f..', '__proto__', 'constructor'].map((name) => get(`/${name}/tools`)),
    ...['%', '%ff=%ff', 'a[b][c]=1&a=2', '__proto__[x]=1'].map((query) => get(`${probe.path('tools')}?${query}`)),
    { ...get('/../../etc/passwd'), asText: true },
  ];
}
