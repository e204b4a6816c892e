import { gzipSync } from 'node:zlib';
import type { OperationId } from '../../generated/ors-operations.ts';
import { chunked, type RawRequest } from './http.ts';
import { factsOf, type OperationFacts, typesOf, validRequest } from './operations.ts';

/** Body limit of the server that receives hostile requests; low, so that oversized bodies are small too. */
export const LIMIT = 64 * 1024;

/** `carried out`: 200. `refused`: 4xx with a detail. `answered`: either. `failed`: the call ends with `ok: false`. */
export type Expected = 'carried out' | 'refused' | 'answered' | 'failed';

/** Replacement of parts of a valid request, and the expected result. */
export type Case = readonly [name: string, parts: Partial<RawRequest>, expected: Expected];

/** An operation of each kind: with and without a body, a session and an environment, and the one with event streams. */
const KINDS: readonly OperationId[] = [
  'health',
  'createSession',
  'createEpisode',
  'getTask',
  'listTools',
  'getPrompt',
  'callTool',
];

/**
 * Returns the hostile requests for one operation.
 *
 * @param isWhole false leaves out requests whose handling depends only on the kind of the operation, except for `KINDS`.
 */
export function hostileCases(id: OperationId, isWhole: boolean): Case[] {
  const facts = factsOf(id);
  const own = [plainCases, wrongTypes, numberCases, ...(facts.needsSession ? [sessionCases] : [])];
  const all = [plainCases, wrongTypes, numberCases, sessionCases, bodyCases, pathCases, transportCases];
  return (isWhole || KINDS.includes(id) ? all : own).flatMap((cases) => cases(facts));
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

const SAMPLES: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true',
  integer: '3',
  number: '0.5',
  string: '"a b"',
  array: '[]',
  object: '{"a":{}}',
};

const bomb = gzipSync(Buffer.alloc(10 * LIMIT, ' '));

let created = 0;

/** Returns the id of a session that the operation may end. */
export function sidFor(id: OperationId): string {
  if (id === 'createEpisode') return `created-${created++}`;
  return id === 'deleteEpisode' ? 'deleted' : 'live';
}

function plainCases({ id }: OperationFacts): Case[] {
  if (id === 'createSession')
    return [
      ['a valid request', {}, 'carried out'],
      ['no body', noBody(), 'carried out'],
    ];
  return [['a valid request', {}, 'carried out']];
}

const noBody = (): Partial<RawRequest> => ({ body: '', headers: [['X-Session-ID', 'live']] });

function sessionCases({ needsSession, id }: OperationFacts): Case[] {
  const expected = needsSession ? 'refused' : 'carried out';
  const sids: [string, (string | Buffer)[]][] = [
    ['no X-Session-ID', []],
    ['an empty X-Session-ID', ['']],
    ['a blank X-Session-ID', ['   ']],
    ['a non-ASCII X-Session-ID', ['sitzung-é']],
    ['an X-Session-ID of invalid bytes', [Buffer.from([0xff, 0xfe, 0x80])]],
    ['two X-Session-IDs', ['live', 'live']],
    ['an X-Session-ID of 129 characters', ['s'.repeat(129)]],
  ];
  const headers = (values: (string | Buffer)[]) => [
    JSON_TYPE,
    ...values.map((value) => ['X-Session-ID', value] as const),
  ];
  return [
    ...sids.map(([name, values]): Case => [name, { headers: headers(values) }, expected]),
    ['an X-Session-ID with a NUL', { headers: headers(['a\0b']) }, 'refused'],
    ...(needsSession && !['createEpisode', 'deleteSession'].includes(id)
      ? ([['an unknown X-Session-ID', { headers: headers(['never-seen']) }, 'refused']] as Case[])
      : []),
  ];
}

/** Returns malformed bodies. Operations without a body may ignore them. */
function bodyCases({ id, body }: OperationFacts): Case[] {
  const wrong: Expected = body ? 'refused' : 'answered';
  const depth = 20_000;
  const deep = '['.repeat(depth) + ']'.repeat(depth);
  const texts: [string, string | Buffer, Expected][] = [
    ['a missing body', '', body?.required ? 'refused' : 'answered'],
    ['a body of white space', ' \r\n\t', wrong],
    ['invalid JSON', '{"split": "train"', wrong],
    ['NaN', '{"split": NaN}', wrong],
    ['an array', '[]', wrong],
    ['null', 'null', wrong],
    ['a string', '"split"', wrong],
    ['JSON inside a string', JSON.stringify('{"split":"train"}'), wrong],
    ['a number', '7', wrong],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), wrong],
    ['20,000 levels', deep, wrong],
    ['20,000 levels in a field', `{"task_spec":${deep},"input":${deep}}`, wrong],
    ['a key __proto__', edited(id, '"__proto__":{"polluted":true}'), wrong],
    [
      'a key constructor',
      edited(id, '"constructor":{"prototype":{}}'),
      id.startsWith('create') || !body ? 'answered' : 'refused',
    ],
    ['half of a surrogate pair', edited(id, '"split":"\\ud800"'), wrong],
    ['an unknown field', edited(id, '"verbose":true'), id.startsWith('create') || !body ? 'answered' : 'refused'],
    ['an unknown field with a name of 40,000 characters', edited(id, `"${'n'.repeat(40_000)}":1`), 'answered'],
    ['an unknown field with a name of 99 characters and a smiley', edited(id, `"${'n'.repeat(99)}😀":1`), 'answered'],
  ];
  return [
    ...texts.map(([name, text, expected]): Case => [name, { body: text }, expected]),
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json', ''].map(
      (type): Case => [
        `Content-Type ${type || 'empty'}`,
        {
          headers: [
            ['X-Session-ID', sidFor(id)],
            ['Content-Type', type],
          ],
          body: edited(id),
        },
        wrong,
      ],
    ),
    [
      'charset latin1',
      {
        headers: [
          ['X-Session-ID', sidFor(id)],
          ['Content-Type', 'application/json; charset=latin1'],
        ],
      },
      'answered',
    ],
  ];
}

/** Returns the JSON text of a valid body with an additional field at its end. */
function edited(id: OperationId, field?: string): string {
  const valid = String(validRequest(id, 'live').body ?? '{}');
  if (field === undefined) return valid;
  return valid === '{}' ? `{${field}}` : `${valid.slice(0, -1)},${field}}`;
}

/** Returns, for each field of the body, a value of each JSON type that the spec does not allow. */
function wrongTypes({ id, body }: OperationFacts): Case[] {
  return Object.entries(body?.schema.properties ?? {}).flatMap(([field, schema]) => {
    const allowed = typesOf(schema);
    const samples = Object.entries(SAMPLES).filter(
      ([type]) => !allowed.has(type) && !(type === 'integer' && allowed.has('number')),
    );
    return samples.map(
      ([type, text]): Case => [`${field} is ${type}`, { body: edited(id, `"${field}":${text}`) }, 'refused'],
    );
  });
}

function numberCases({ id }: OperationFacts): Case[] {
  const unkept = ['1e400', '-1e400', '12345678901234567890', '1e-400', '{"deep":[1,{"__proto__":1}]}', '"\\udc00"'];
  const bodies: Partial<Record<OperationId, (value: string) => [string, Expected][]>> = {
    createEpisode: (value) =>
      [
        [`{"task_spec":{"question":"?","answer":"","n":${value}}}`, 'refused'],
        [`{"split":"train","index":${value}}`, 'refused'],
        [`{"split":"train","index":0,"secrets":{"key":${value}}}`, 'refused'].slice(value.startsWith('"') ? 9 : 0),
      ].filter((pair) => pair.length > 0) as [string, Expected][],
    getTask: (value) => [[`{"split":"train","index":${value}}`, 'refused']],
    getTaskRange: (value) => [[`{"split":"train","start":${value}}`, 'refused']],
    callTool: (value) =>
      [
        [`{"name":"echo","input":{"text":"a","n":${value}}}`, 'failed'],
        [`{"name":"noargs","input":{"n":[${value}]}}`, 'failed'],
        [`{"name":"echo","input":${value}}`, 'refused'],
      ].slice(0, value.startsWith('{') ? 2 : 3) as [string, Expected][],
  };
  return unkept.flatMap((value) =>
    (bodies[id]?.(value) ?? []).map(
      ([text, expected]): Case => [`the value ${value}, which JSON.parse would change`, { body: text }, expected],
    ),
  );
}

function pathCases({ id, target, hasEnvironment }: OperationFacts): Case[] {
  const action = target.replace('/math', '');
  const sessionDecides = ['listTaskTools', 'getPrompt', 'getMessages', 'scoreGroup'].includes(id);
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'e'.repeat(10_000), '%00', 'no%2Fslash'];
  return [
    ...(hasEnvironment ? names : []).map(
      (name): Case => [
        `the environment ${name.slice(0, 20)}`,
        { target: `/${name}${action}` },
        sessionDecides ? 'carried out' : 'refused',
      ],
    ),
    ['a malformed percent escape', { target: `/%zz${action}` }, 'refused'],
    ['a percent escape of invalid UTF-8', { target: `/%ff${action}` }, 'refused'],
    ['two slashes at the start', { target: `/${target}` }, 'carried out'],
    ['bytes beyond ASCII in the path', { target: `/\xe9\xff${action}` }, 'refused'],
    ['10,000 characters', { target: `${target}/${'p'.repeat(10_000)}` }, 'refused'],
    ['10,000 slashes', { target: `${'/'.repeat(10_000)}x` }, 'refused'],
    ['an unusual query', { target: `${target}?%zz&a[b]=1&__proto__=2` }, 'carried out'],
  ];
}

function transportCases({ id, target, body }: OperationFacts): Case[] {
  const headers = (...more: (readonly [string, string])[]) => [
    ['X-Session-ID', sidFor(id)] as const,
    JSON_TYPE,
    ...more,
  ];
  const valid = edited(id);
  const large = Buffer.alloc(LIMIT + 1, ' ');
  const tooLarge: Expected = body ? 'refused' : 'answered';
  return [
    ['a body that is too large', { body: large }, tooLarge],
    [
      'a chunked body that is too large',
      { headers: headers(['Transfer-Encoding', 'chunked']), body: chunked(large) },
      tooLarge,
    ],
    [
      'a body that is too large and never arrives',
      { headers: headers(['Content-Length', String(LIMIT + 1)]), body: '' },
      tooLarge,
    ],
    ['a gzip bomb', { headers: headers(['Content-Encoding', 'gzip']), body: bomb }, tooLarge],
    ['gzip', { headers: headers(['Content-Encoding', 'gzip']), body: gzipSync(valid) }, 'carried out'],
    ['invalid gzip', { headers: headers(['Content-Encoding', 'gzip']), body: valid }, tooLarge],
    ['an unknown Content-Encoding', { headers: headers(['Content-Encoding', 'rot13']), body: valid }, tooLarge],
    ['Expect: 100-continue', { headers: headers(['Expect', '100-continue']), body: valid }, 'carried out'],
    ['another Expect', { headers: headers(['Expect', 'the-worst']), body: valid }, 'answered'],
    ['HTTP/1.0', { version: '1.0' }, 'carried out'],
    ['an absolute request target', { target: `http://ors.example${target}` }, 'carried out'],
    ['a header of 60 KB', { headers: headers(['X-Filler', 'f'.repeat(60 * 1024)]) }, 'carried out'],
    ['a header of 70 KB', { headers: headers(['X-Filler', 'f'.repeat(70 * 1024)]) }, 'refused'],
    ['an X-Secrets header of 60 KB', { headers: headers(['X-Secrets', secretsHeader(45_000)]) }, 'carried out'],
    ['an X-Secrets header of 70 KB', { headers: headers(['X-Secrets', secretsHeader(52_000)]) }, 'refused'],
  ];
}

const secretsHeader = (length: number) =>
  Buffer.from(JSON.stringify({ key: { value: 's'.repeat(length) } })).toString('base64');
