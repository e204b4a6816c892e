import type { Probe } from '../../probe/index.ts';
import { LONG_PATH_LENGTH, LONG_STRING_LENGTH, type MalformedRequest, NESTING_DEPTH } from './malformed.ts';
import { NO_SESSION } from './requests.ts';

const NO_TOOL = 'conformance-no-such-tool';

/** JSON values, and what is none, for any field. */
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
  ...['%00', '%ff', '%zz', '%', '%2', '..%2f..', '%c0%ae%c0%ae', '%f0%9f%98%80', '%0d%0a', '%20', '%25', '%2f', ';'],
  ...['*', '**', "'", '{env_name}', '%5c', '__proto__', 'constructor', 'toString', ':env_name', 'null', '%ud800', '-1'],
  ...['x'.repeat(LONG_PATH_LENGTH), '%e2%98%83'.repeat(100), '.'.repeat(300), 'a/'.repeat(500)],
];

const QUERIES = [
  ...[
    '',
    '%',
    '%ff=%ff',
    'a=%00',
    '&&==&',
    'a[]=1&a[b]=2',
    'a[b][c][d]=1',
    '__proto__[x]=1',
    'constructor=1',
    'a=1&a=2',
  ],
  ...['x'.repeat(LONG_PATH_LENGTH), 'a=1&'.repeat(500), `${'a['.repeat(500)}=1`, '?', 'split[]=1&index=1e400'],
];

const SESSIONS = [
  ...[
    '0',
    'null',
    '../x',
    '"',
    "'",
    '%00',
    '%ff',
    '{}',
    '__proto__',
    'constructor',
    'toString',
    'a b',
    'a,b',
    ';',
    '*',
  ],
  'x'.repeat(LONG_PATH_LENGTH),
];

/** The fields of each route's body, with values that are right. */
type FuzzFields = Readonly<Record<string, string>>;

interface BodyRoute {
  readonly path: string;
  readonly fields: FuzzFields;
  readonly session?: string;
}

/** Malformed requests without end, over all routes; the same ones for the same random numbers. */
export function* fuzz(probe: Probe): Generator<MalformedRequest, never> {
  const random: Random = {
    below: (count) => Math.floor(probe.random() * count),
    of: (choices) => choices[random.below(choices.length)] as never,
  };
  const routes = bodyRoutes(probe);
  const own = routes.filter(({ session }) => session === undefined);
  const paths = ['tools', 'splits', 'prompt', 'task_tools'].map((action) => probe.path(action));
  const kinds: readonly (() => MalformedRequest)[] = [
    ...Array<() => MalformedRequest>(5).fill(() => wrongField(random, random.of(routes))),
    ...Array<() => MalformedRequest>(2).fill(() => wrongText(random, random.of(routes))),
    () => ({ ...rightBody(random.of(routes)), contentType: random.of(CONTENT_TYPES) }),
    () => ({ ...wrongField(random, random.of(routes)), headers: [random.of(HEADERS)] }),
    () => ({ method: random.of(['GET', 'POST']), path: oddPath(random, probe.environment.name) }),
    () => ({ method: 'GET', path: `${random.of([...paths, '/health'])}?${random.of(QUERIES)}` }),
    () => ({ ...wrongField(random, random.of(own)), path: `${random.of(own).path}?${random.of(QUERIES)}` }),
    () => ({ method: 'GET', path: random.of(paths), session: random.of(SESSIONS) }),
    () => ({ method: 'POST', path: random.of(['/ping', '/delete', '/delete_session']), session: random.of(SESSIONS) }),
    () => ({
      method: random.of(['PUT', 'PATCH', 'DELETE', 'OPTIONS']),
      path: random.of([...paths, '/create', '/ping']),
    }),
  ];
  // In turn, so that few requests hold all kinds too.
  while (true) for (const make of kinds) yield make();
}

interface Random {
  /** An integer from 0 on. */
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

/** Nothing is wrong with it yet; no tool runs, and no episode is opened. */
function rightBody({ path, fields, session }: BodyRoute): MalformedRequest {
  const harmless = path === '/create' ? { ...fields, secrets: '[]' } : fields;
  return { method: 'POST', path, body: textOf(harmless), ...(session !== undefined && { session }) };
}

/** One field of the body has another value, is there twice, or is one that nobody knows. */
function wrongField(random: Random, route: BodyRoute): MalformedRequest {
  const name = random.of([...Object.keys(route.fields), 'conformance_unknown']);
  const value = random.of(VALUES);
  const text = textOf({ ...route.fields, [name]: value });
  const body = random.below(8) === 0 ? `${text.slice(0, -1)},${JSON.stringify(name)}:${random.of(VALUES)}}` : text;
  return { ...rightBody(route), body };
}

/** A body that is no JSON, or JSON of another kind. */
function wrongText(random: Random, route: BodyRoute): MalformedRequest {
  const text = textOf(route.fields);
  const spoilt = Buffer.from(text);
  spoilt[random.below(spoilt.length)] = random.below(256);
  const body = random.of<string | Uint8Array>([
    ...['', ' ', 'null', '[]', '5', '"x"', '[[]]', '{', '}', '<xml/>', 'split=train', `${text}${text}`, `${text}//`],
    text.slice(0, 1 + random.below(text.length - 1)),
    `\ufeff${text}`,
    `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
    random.of(VALUES),
    spoilt,
    Buffer.from(text, 'utf16le'),
    Buffer.from(Array.from({ length: 1 + random.below(64) }, () => random.below(256))),
  ]);
  return { ...rightBody(route), body };
}

function oddPath(random: Random, environment: string): string {
  const [odd, own] = [random.of(SEGMENTS), encodeURIComponent(environment)];
  return random.of([`/${odd}`, `/${odd}/tools`, `/${odd}/call`, `/${own}/${odd}`, `/${own}/tools/${odd}`, `//${odd}`]);
}
