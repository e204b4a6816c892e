import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, serve } from 'ors-kit/server';
import { pino } from 'pino';
import type { components } from '../../generated/ors.ts';
import type { OperationId } from '../../generated/ors-operations.ts';
import { hosted } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import fc, { runs } from '../support/fast-check.ts';
import { type Answer, pipeline, readEvents, readResult, request } from '../support/http.ts';
import { factsOf, VALID_BODIES, validRequest } from '../support/operations.ts';
import { orsValidator } from '../support/validators.ts';

const SEED = 20_260_721;
/** Number of runs, each with about fifty bodies. */
const RUNS = runs(4);
const LONGEST_RUN = 99;

/** Only the server behind Express validates its responses against the document. */
const SERVERS = { 'Express with response validation': true, 'fast path': false };
type ServerName = keyof typeof SERVERS;

const servers = new Map<ServerName, RunningServer>();
let sids = 0;

beforeAll(async () => {
  const { math, other } = fixture();
  for (const [name, validateResponses] of Object.entries(SERVERS) as [ServerName, boolean][]) {
    const options = { port: 0, validateResponses, log: pino({ level: 'silent' }) };
    const server = await serve(await hosted([math, other]), options);
    servers.set(name, server);
    for (const sid of ['live', 'deleted']) await request(server.url, validRequest('createEpisode', sid));
  }
});

afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

type SchemaName = keyof components['schemas'];

/** Schemas of the body and response of an operation, and further conditions for a body to be valid. */
interface Rules {
  readonly body: SchemaName | 'nothing';
  readonly answer: SchemaName;
  /** Omitted if only the statuses are checked. */
  readonly isMeaningful?: (body: Record<string, unknown>) => boolean;
}

const COUNTS: Readonly<Record<string, number>> = { train: 5, test: 2, hard: 1_000_000 };
const countOf = (body: Record<string, unknown>) => COUNTS[String(body.split)] ?? -1;
const always = () => true;

const RULES: Partial<Record<OperationId, Rules>> = {
  createSession: { body: 'IssueSession', answer: 'SessionId', isMeaningful: always },
  createEpisode: { body: 'CreateSession', answer: 'SessionId' },
  ping: { body: 'nothing', answer: 'Status', isMeaningful: always },
  deleteEpisode: { body: 'nothing', answer: 'SessionId', isMeaningful: always },
  deleteSession: { body: 'nothing', answer: 'SessionId', isMeaningful: always },
  listTasks: {
    body: 'ListTasks',
    answer: 'TaskList',
    isMeaningful: (body) => countOf(body) >= 0 && countOf(body) <= 10_000,
  },
  countTasks: { body: 'NumTasks', answer: 'TaskCount', isMeaningful: (body) => countOf(body) >= 0 },
  getTask: { body: 'GetTask', answer: 'TaskItem', isMeaningful: (body) => Number(body.index) < countOf(body) },
  getTaskRange: {
    body: 'GetTaskRange',
    answer: 'TaskList',
    isMeaningful: (body) => rangeOf(body) >= 0 && rangeOf(body) <= 10_000,
  },
  callTool: { body: 'ToolCall', answer: 'SerializedRunToolOutput' },
};

/** Returns the number of tasks in a range; negative for an unknown split. */
function rangeOf(body: Record<string, unknown>): number {
  const count = countOf(body);
  const bound = (value: unknown, preset: number) => {
    if (typeof value !== 'number') return preset;
    return Math.min(Math.max(value < 0 ? value + count : value, 0), count);
  };
  return count < 0 ? -1 : Math.max(bound(body.stop, count) - bound(body.start, 0), 0);
}

const FIELDS = [
  'split',
  'index',
  'start',
  'stop',
  'task_id',
  'env_name',
  'task_spec',
  'secrets',
  'name',
  'input',
  'sid',
];

/** Values that are likely to be close to a boundary. */
const pointed = fc.constantFrom<unknown>(
  ...[
    'train',
    'test',
    'hard',
    'math',
    'other',
    'MATH',
    'echo',
    'count',
    '',
    ' ',
    'é',
    '😀',
    'a b',
    '\u2028',
    't'.repeat(129),
  ],
  ...[0, 1, 4, 5, -1, -5, -6, 999_999, 1_000_000, 0.5, -0.5, 1e21, 1e308, 2 ** 53, -(2 ** 53), 5e-324],
  ...[
    null,
    true,
    false,
    [],
    {},
    [[]],
    { text: 'a' },
    { text: 1 },
    { question: 'a', answer: 'b' },
    { key: 'value' },
    { key: 1 },
  ],
);
const anything = fc.oneof({ weight: 3, arbitrary: pointed }, { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) });
const someField = fc.oneof(fc.constantFrom(...FIELDS), fc.string({ maxLength: 12 }));

const random = fc.oneof(anything, fc.dictionary(someField, anything, { maxKeys: 5 }));

/** Generates a valid body with up to three fields removed, replaced, added or renamed. */
function mutated(valid: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const known = fc.constantFrom(...Object.keys(valid), 'task_id');
  const change = fc.oneof(
    fc.record({ remove: known }),
    fc.record({ set: known, value: anything }),
    fc.record({ set: someField, value: anything }),
    fc.record({ remove: known, set: someField, value: anything }),
  );
  return fc.array(change, { minLength: 0, maxLength: 3 }).map((changes) => {
    const body: Record<string, unknown> = { ...valid };
    for (const { remove, set, value } of changes as { remove?: string; set?: string; value?: unknown }[]) {
      if (remove !== undefined) delete body[remove];
      if (set !== undefined)
        Object.defineProperty(body, set, { value, enumerable: true, configurable: true, writable: true });
    }
    return body;
  });
}

const CASES = (Object.keys(SERVERS) as ServerName[]).flatMap((name) =>
  (Object.entries(RULES) as [OperationId, Rules][]).map(([id, rules]) => [id, name, rules] as const),
);

test.each(CASES)(`validates random bodies of %s like its schema (%s, seed ${SEED})`, async (id, name, rules) => {
  const { url = '' } = servers.get(name) ?? {};
  const bodies = fc.array(fc.oneof(random, mutated(VALID_BODIES[id] ?? {})), {
    minLength: 1,
    maxLength: LONGEST_RUN,
    size: 'max',
  });
  const property = fc.asyncProperty(bodies, async (values) => {
    const texts = values.map((value) => JSON.stringify(value));
    const responses = await pipeline(
      url,
      texts.map((body) => validRequest(id, sidFor(id), { body })),
    );

    expect(responses).toHaveLength(texts.length);
    for (const [index, response] of responses.entries()) check(id, rules, texts[index] ?? '', response);
  });

  await fc.assert(property, { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 60_000 });
});

function sidFor(id: OperationId): string {
  if (id === 'createEpisode') return `created-${sids++}`;
  return id === 'deleteEpisode' ? 'deleted' : 'live';
}

/** Runs a check, and adds the body to its error. */
function check(id: OperationId, rules: Rules, text: string, response: Answer): void {
  const seen = { body: text, status: response.status, answer: response.body.slice(0, 400) };
  if (response.status !== 200) {
    expect(seen).toEqual({ ...seen, status: id === 'createEpisode' && response.status === 404 ? 404 : 400 });
    expect(orsValidator('ErrorResponse')(JSON.parse(response.body))).toBe(true);
    expect(JSON.parse(response.body).detail).not.toBe('');
  }
  const body: unknown = JSON.parse(text);
  const isValid = fits(rules.body, body) && !(id === 'createEpisode' && text.includes('__proto__'));
  if (!isValid) expect(seen).toEqual({ ...seen, status: 400 });
  else if (rules.isMeaningful && !text.includes('__proto__')) {
    expect(seen).toEqual({ ...seen, status: rules.isMeaningful(body as Record<string, unknown>) ? 200 : 400 });
  }
  if (response.status === 200)
    expect({ ...seen, isOfSchema: isOfSchema(id, rules, response) }).toEqual({ ...seen, isOfSchema: true });
}

function fits(name: SchemaName | 'nothing', body: unknown): boolean {
  if (name !== 'nothing') return orsValidator(name)(body);
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}

function isOfSchema(id: OperationId, rules: Rules, response: Answer): boolean {
  if (id !== 'callTool') return orsValidator(rules.answer)(JSON.parse(response.body));
  const events = readEvents(response.body);
  const isStream = events.every((event) => orsValidator('CallEvent')(event)) && events[0]?.event === 'task_id';
  const result = readResult(response.body);
  return isStream && ('crashed' in result || orsValidator(rules.answer)(result));
}

test('covers each operation with a body', () => {
  const ids = Object.keys(RULES) as OperationId[];

  expect(ids.every((id) => factsOf(id).body !== undefined)).toBe(true);
  expect(ids).toHaveLength(10);
});
