import { mapConcurrent, previewJson, truncate } from '../../../core/index.ts';
import { assertConforms } from '../../assertions.ts';
import { defineChecks } from '../../check.ts';
import type { Probe, RequestOptions } from '../../probe/index.ts';
import { sendText } from '../raw-http.ts';
import { NO_SESSION } from './requests.ts';

const AT_ONCE = 8;
const MAX_EPISODES = 12;
const MAX_NAMED = 3;
const NESTING_DEPTH = 5_000;
const LONG_STRING_LENGTH = 65_536;
const LONG_PATH_LENGTH = 4_000;
const NO_TOOL = 'conformance-no-such-tool';

export const malformedChecks = defineChecks({ profile: 'core', needs: ['task'] }, [
  {
    id: 'error/malformed',
    title: 'Well-known malformed requests do not cause 5xx',
    requirement: 'ORS-ERR-005',
    cost: { sessions: 2 },
    run: (probe) => assertNoServerErrors(probe, knownMalformedRequests(probe), 2),
  },
  {
    id: 'error/fuzz',
    title: 'Hundreds of random malformed requests to all routes do not cause 5xx',
    requirement: 'ORS-ERR-005',
    profile: 'full',
    cost: { sessions: MAX_EPISODES },
    async run(probe) {
      const source = randomRequests(probe);
      const requests = Array.from({ length: probe.loads.malformed }, () => source.next().value);
      await assertNoServerErrors(probe, requests, MAX_EPISODES);
    },
  },
]);

/** Sends requests in at most `maxSessions` sessions; each must get a status below 500. */
async function assertNoServerErrors(probe: Probe, requests: readonly MalformedRequest[], maxSessions: number) {
  const { sid: open } = await probe.episode();
  let sessions = 1;
  let issued: string | undefined = await probe.createSessionId();
  const failures: string[] = [];
  const send = async (request: MalformedRequest): Promise<void> => {
    const isCreate = request.path.startsWith('/create?') || request.path === '/create';
    const sid = request.session === 'open' ? open : request.session === 'issued' ? issued : request.session;
    const response = await sendRequest(probe, request, sid);
    if (response.status >= 500 || response.status === 0)
      failures.push(`${describeRequest(request)} returned ${response.summary}`);
    if (isCreate && response.status === 200 && sid === issued)
      issued = ++sessions < maxSessions ? await probe.createSessionId() : undefined;
  };
  await mapConcurrent(requests, AT_ONCE, send);
  const more = failures.length > MAX_NAMED ? `; and ${failures.length - MAX_NAMED} more` : '';
  const named = failures.slice(0, MAX_NAMED).join('; ');
  assertConforms(failures.length === 0, `of ${requests.length} requests: ${named}${more}`);
}

async function sendRequest(
  probe: Probe,
  { method, path, body, contentType, headers = [], asText }: MalformedRequest,
  sid: string | undefined,
): Promise<{ status: number; summary: string }> {
  if (asText) return await sendText(probe, method, path);
  const type = contentType ?? (body === undefined ? undefined : 'application/json');
  const options = {
    ...(body !== undefined && { body }),
    ...(sid !== undefined && { sid }),
    headers: [...(type === undefined ? [] : [['Content-Type', type] as const]), ...headers],
    timeoutMs: Math.min(probe.timeoutMs, 10_000),
  };
  const response = await probe.send(method, path, options);
  // A server that rejects a body before it has read it may reset the connection.
  return response.status === 0 ? await probe.send(method, path, options) : response;
}

/** A malformed request. */
interface MalformedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  /** @default 'application/json' if there is a body */
  readonly contentType?: string;
  readonly headers?: RequestOptions['headers'];
  /** `issued`: an id without episode; `open`: the id of an open episode; other values are sent unchanged. */
  readonly session?: string;
  /** Sends the path without normalization, including `..`; only without a body. */
  readonly asText?: true;
}

/** Describes a request in one line. */
function describeRequest({ method, path, body, contentType, headers = [], session }: MalformedRequest): string {
  const parts = [`${method} ${truncate(path, 200)}`];
  if (body !== undefined) parts.push(`with the body ${typeof body === 'string' ? previewJson(body) : bytes(body)}`);
  if (contentType !== undefined) parts.push(`as '${contentType}'`);
  if (session !== undefined) parts.push(`with the session ${previewJson(session, 60)}`);
  for (const [name, value] of headers) parts.push(`with ${name}: ${truncate(value, 60)}`);
  return parts.join(' ');
}

const bytes = (body: Uint8Array) => `of the bytes ${Buffer.from(body.subarray(0, 40)).toString('hex')}`;

/** Returns well-known malformed requests, the same in every run. */
function knownMalformedRequests(probe: Probe): MalformedRequest[] {
  const split = JSON.stringify(probe.environment.split?.name ?? 'train');
  const post = (action: string, body: string | Uint8Array, more: Partial<MalformedRequest> = {}): MalformedRequest => {
    return { method: 'POST', path: probe.path(action), body, ...more };
  };
  const get = (path: string): MalformedRequest => ({ method: 'GET', path });
  const create = (body: string) => ({ method: 'POST', path: '/create', session: 'issued', body });
  const call = (body: string) => post('call', body, { session: 'open' });
  const wellFormed = `{"split":${split}}`;
  const tools = probe.path('tools');
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
    ...['/conformance-no-such-route', '/%00', '/%ff', '/%zz', `${tools}/%ff`, `/${'x'.repeat(LONG_PATH_LENGTH)}`].map(
      get,
    ),
    ...['%00', '%ff', '..%2f..', '__proto__', 'constructor'].map((name) => get(`/${name}/tools`)),
    ...['%', '%ff=%ff', 'a[b][c]=1&a=2', '__proto__[x]=1'].map((query) => get(`${tools}?${query}`)),
    { ...get('/../../etc/passwd'), asText: true },
  ];
}

const words = (text: string): string[] => text.split(' ');

/** Valid and invalid JSON values for any field. */
const VALUES = [
  ...['null', 'true', '0', '-1', '-0', '1.5', '1e20', '1e400', '-1e400', '1e-400', '9007199254740993'],
  ...['18446744073709551616', 'NaN', '-Infinity', 'undefined', '0x10', '01', '.5', '+1', '""', '" "', '"train\\n"'],
  ...['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\uffff"', '"\\x"', '"\t"', "'x'", '"x', '"\u2028"', '"\\u{1}"'],
  ...['[]', '{}', '[1,]', '{"a":1,}', '{"a":1,"a":2}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}'],
  ...['{"$gt":""}', '"../../etc/passwd"', '"__proto__"', '"toString"', '"%00"', '["\\ud800"]', '{"\\ud800":1}'],
  `"${'x'.repeat(LONG_STRING_LENGTH)}"`,
  `"${'\\u0000'.repeat(1_000)}"`,
  '9'.repeat(1_000),
  '['.repeat(NESTING_DEPTH) + ']'.repeat(NESTING_DEPTH),
  `${'{"a":'.repeat(NESTING_DEPTH)}1${'}'.repeat(NESTING_DEPTH)}`,
];

const CONTENT_TYPES = [
  ...['', ' ', ';', 'json', 'application/', '/json', 'application/json;', 'application/json; charset', 'text/plain'],
  ...['application/json; charset=utf-16', 'application/json; charset=x', 'application/json, text/html', '*/*'],
  ...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'x'.repeat(1_000)],
];

const HEADERS = [
  ...['gzip', 'br', 'deflate, gzip', 'identity', 'x'].map((value) => ['Content-Encoding', value] as const),
  ...['', 'x', '*/*;q=x', 'text/event-stream;q=2,,;', 'x'.repeat(1_000)].map((value) => ['Accept', value] as const),
  ...['bytes=5-1', 'x'].map((value) => ['Range', value] as const),
  ...['-1', 'x', '*'].map((value) => ['If-None-Match', value] as const),
];

const SEGMENTS = [
  ...words('%00 %ff %zz % %2 ..%2f.. %c0%ae%c0%ae %f0%9f%98%80 %0d%0a %20 %25 %2f ;'),
  ...words("* ** ' {env_name} %5c __proto__ constructor toString :env_name null %ud800 -1"),
  ...['x'.repeat(LONG_PATH_LENGTH), '%e2%98%83'.repeat(100), '.'.repeat(300), 'a/'.repeat(500)],
];

const QUERIES = [
  '',
  ...words('% %ff=%ff a=%00 &&==& a[]=1&a[b]=2 a[b][c][d]=1 __proto__[x]=1 constructor=1 a=1&a=2'),
  ...['x'.repeat(LONG_PATH_LENGTH), 'a=1&'.repeat(500), `${'a['.repeat(500)}=1`, '?', 'split[]=1&index=1e400'],
];

const SESSIONS = [
  ...words(`0 null ../x " ' %00 %ff {} __proto__ constructor toString`),
  ...['a b', 'a,b', ';', '*', 'x'.repeat(LONG_PATH_LENGTH)],
];

/** Fields of a route's body, with valid values as JSON text. */
type FuzzFields = Readonly<Record<string, string>>;

interface BodyRoute {
  readonly path: string;
  readonly fields: FuzzFields;
  readonly session?: string;
}

/** Generates malformed requests to all routes; the sequence depends on the random numbers only. */
function* randomRequests(probe: Probe): Generator<MalformedRequest, never> {
  const random: Random = {
    below: (count) => Math.floor(probe.random() * count),
    of: (choices) => choices[random.below(choices.length)] as never,
  };
  const routes = bodyRoutes(probe);
  const own = routes.filter(({ session }) => session === undefined);
  const paths = ['tools', 'splits', 'prompt', 'task_tools'].map((action) => probe.path(action));
  const kinds: readonly (() => MalformedRequest)[] = [
    ...Array<() => MalformedRequest>(5).fill(() => withWrongField(random, random.of(routes))),
    ...Array<() => MalformedRequest>(2).fill(() => withWrongBody(random, random.of(routes))),
    () => ({ ...validRequest(random.of(routes)), contentType: random.of(CONTENT_TYPES) }),
    () => ({ ...withWrongField(random, random.of(routes)), headers: [random.of(HEADERS)] }),
    () => ({ method: random.of(['GET', 'POST']), path: oddPath(random, probe.environment.name) }),
    () => ({ method: 'GET', path: `${random.of([...paths, '/health'])}?${random.of(QUERIES)}` }),
    () => ({ ...withWrongField(random, random.of(own)), path: `${random.of(own).path}?${random.of(QUERIES)}` }),
    () => ({ method: 'GET', path: random.of(paths), session: random.of(SESSIONS) }),
    () => ({ method: 'POST', path: random.of(['/ping', '/delete', '/delete_session']), session: random.of(SESSIONS) }),
    () => ({
      method: random.of(['PUT', 'PATCH', 'DELETE', 'OPTIONS']),
      path: random.of([...paths, '/create', '/ping']),
    }),
  ];
  // Round-robin, so that a few requests already contain all kinds.
  while (true) for (const make of kinds) yield make();
}

interface Random {
  /** Returns an integer from 0 to count - 1. */
  below(count: number): number;
  of<T>(choices: readonly T[]): T;
}

function bodyRoutes(probe: Probe): BodyRoute[] {
  const split = JSON.stringify(probe.environment.split?.name ?? 'train');
  const environment = JSON.stringify(probe.environment.name);
  return [
    { path: probe.path('tasks'), fields: { split } },
    { path: probe.path('num_tasks'), fields: { split } },
    { path: probe.path('task'), fields: { split, index: '0' } },
    { path: probe.path('task_range'), fields: { split, start: '0', stop: '1' } },
    { path: '/create', fields: { env_name: environment, split, index: '0', secrets: '{}' }, session: 'issued' },
    { path: '/create', fields: { env_name: environment, task_spec: '{}', secrets: '{}' }, session: 'issued' },
    { path: probe.path('call'), fields: { name: `"${NO_TOOL}"`, input: '{}', task_id: 'null' }, session: 'open' },
    { path: '/create_session', fields: { task_id: 'null' } },
    { path: '/ping', fields: { sid: 'null' }, session: 'open' },
    { path: '/delete', fields: { sid: 'null' }, session: NO_SESSION },
  ];
}

const textOf = (fields: FuzzFields) =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`;

/** Returns a well-formed request that runs no tool and opens no episode. */
function validRequest({ path, fields, session }: BodyRoute): MalformedRequest {
  const harmless = path === '/create' ? { ...fields, secrets: '[]' } : fields;
  return { method: 'POST', path, body: textOf(harmless), ...(session !== undefined && { session }) };
}

/** Returns a request with one changed, duplicate or unknown field. */
function withWrongField(random: Random, route: BodyRoute): MalformedRequest {
  const name = random.of([...Object.keys(route.fields), 'conformance_unknown']);
  const value = random.of(VALUES);
  const text = textOf({ ...route.fields, [name]: value });
  const body = random.below(8) === 0 ? `${text.slice(0, -1)},${JSON.stringify(name)}:${random.of(VALUES)}}` : text;
  return { ...validRequest(route), body };
}

/** Returns a request whose body is not JSON, or not an object. */
function withWrongBody(random: Random, route: BodyRoute): MalformedRequest {
  const text = textOf(route.fields);
  const corrupted = Buffer.from(text);
  corrupted[random.below(corrupted.length)] = random.below(256);
  const body = random.of<string | Uint8Array>([
    ...['', ' ', 'null', '[]', '5', '"x"', '[[]]', '{', '}', '<xml/>', 'split=train', `${text}${text}`, `${text}//`],
    text.slice(0, 1 + random.below(text.length - 1)),
    `\ufeff${text}`,
    `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
    random.of(VALUES),
    corrupted,
    Buffer.from(text, 'utf16le'),
    Buffer.from(Array.from({ length: 1 + random.below(64) }, () => random.below(256))),
  ]);
  return { ...validRequest(route), body };
}

function oddPath(random: Random, environment: string): string {
  const odd = random.of(SEGMENTS);
  const own = encodeURIComponent(environment);
  return random.of([`/${odd}`, `/${odd}/tools`, `/${odd}/call`, `/${own}/${odd}`, `/${own}/tools/${odd}`, `//${odd}`]);
}
