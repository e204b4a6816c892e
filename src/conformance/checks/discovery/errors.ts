import { fieldsOf, isRecord, previewJson, truncate } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe, RequestOptions } from '../../probe/index.ts';
import { assertStatus, assertSuccess } from '../responses.ts';
import { fetchTask, postCreate } from '../steps.ts';
import { jsonText, NO_ENVIRONMENT, NO_SESSION, NO_SPLIT, sessionlessRequests } from './requests.ts';

const MEGABYTE = 1_048_576;

export const errorChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'error/detail',
    title: 'Every error response is JSON with detail',
    requirement: 'ORS-ERR-001',
    async run(probe) {
      for (const { what, response } of await collectErrorResponses(probe)) {
        const hasDetail = Object.hasOwn(fieldsOf(response.json), 'detail');
        assertConforms(hasDetail, `${what} returned no JSON with detail: ${response.summary}`);
      }
    },
  },
  {
    id: 'error/detail-text',
    title: 'The detail of every error response is a non-empty string',
    requirement: 'ORS-ERR-002',
    async run(probe) {
      const details = (await collectErrorResponses(probe)).flatMap(({ what, response: { json } }) =>
        isRecord(json) && 'detail' in json ? [{ what, detail: json.detail }] : [],
      );
      assume(details.length > 0, 'no error response has a detail');
      for (const { what, detail } of details) {
        const isText = typeof detail === 'string' && detail.trim() !== '';
        assertConforms(isText, `${what} returned the detail ${previewJson(detail)}`);
      }
    },
  },
  {
    id: 'error/invalid-field',
    title: 'A field of the wrong type is rejected with 400, and the detail names it',
    requirement: 'ORS-ERR-010',
    async run(probe) {
      const { split } = probe.environment;
      const bad = [
        { action: 'task', json: { split: split?.name, index: {} }, field: 'index' },
        { action: 'task_range', json: { split: split?.name, start: 'x' }, field: 'start' },
        { action: 'task_range', json: { split: split?.name, stop: 'x' }, field: 'stop' },
      ];
      const cases = [{ action: 'num_tasks', json: { split: 5 }, field: 'split' }, ...(split ? bad : [])];
      for (const { action, json, field } of cases) {
        const response = await probe.discover(action, json);
        const what = `POST ${probe.path(action)} with ${previewJson(json)}`;
        assertStatus(response, 400, what);
        const { detail } = response;
        assertConforms(detail.includes(field), `${what} returned a detail that does not name '${field}': ${detail}`);
      }
    },
  },
  {
    id: 'error/trace',
    title: 'No error response contains a stack trace',
    requirement: 'ORS-ERR-014',
    async run(probe) {
      for (const { what, response } of await collectErrorResponses(probe))
        assertNoStackTrace(what, `${response.detail}\n${response.text}`);
    },
  },
  fixtureCheck({
    id: 'error/trace-of-author',
    title: 'Neither a prompt that fails nor a tool that crashes exposes a stack trace',
    requirement: 'ORS-ERR-014',
    tools: ['crash'],
    async run(probe) {
      const episode = await probe.episode({ task: { prompt_fail: 'The prompt failed.' } });
      const prompt = await episode.prompt();
      assume(!prompt.isSuccess, 'a prompt that fails returned a success');
      assertNoStackTrace('/prompt', `${prompt.detail}\n${prompt.text}`);
      const { failure } = await episode.call('crash');
      assume(failure !== undefined, 'a tool that crashes returned a success');
      assertNoStackTrace("a call of 'crash'", failure);
    },
  }),
  {
    id: 'error/success-status',
    title: 'Health and discovery succeed with the status 200 only',
    requirement: 'ORS-ERR-009',
    async run(probe) {
      for (const { what, response } of await sessionlessResponses(probe)) {
        assertConforms(!response.isSuccess || response.status === 200, `${what} succeeded with ${response.status}`);
      }
    },
  },
  {
    id: 'discovery/json-type',
    title: 'Health and discovery return application/json',
    requirement: 'ORS-DISC-043',
    async run(probe) {
      for (const { what, response } of await sessionlessResponses(probe)) {
        const isNamed = /^application\/([\w.-]+\+)?json$/.test(response.contentType);
        assertConforms(!response.isSuccess || isNamed, `${what} returned JSON as ${response.contentType || 'nothing'}`);
      }
    },
  },
  {
    id: 'error/method',
    title: 'A wrong method is rejected with 405 and an Allow header',
    requirement: 'ORS-ERR-007',
    async run(probe) {
      for (const [method, path] of [
        ['POST', '/health'],
        ['GET', probe.path('num_tasks')],
      ] as const) {
        const response = await probe.send(method, path, { follow: true });
        assertStatus(response, 405, `${method} ${path}`);
        assertConforms(response.header('allow'), `${method} ${path} returned 405 without Allow`);
      }
    },
  },
  {
    id: 'error/no-json',
    title: 'All six routes with a body reject a body that is not JSON with 400',
    requirement: 'ORS-ERR-003',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    run: (probe) => assertRejects(probe, ['{"split": ', 'split=train']),
  },
  {
    id: 'error/no-object',
    title: 'All six routes that require an object reject an array, null and an empty body with 400',
    requirement: 'ORS-ERR-004',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    run: (probe) => assertRejects(probe, ['[]', 'null', '']),
  },
  {
    id: 'error/text-plain',
    title: 'A JSON body sent as text/plain is accepted, or rejected with 400 or 415',
    requirement: 'ORS-ERR-006',
    needs: ['task'],
    async run(probe) {
      const body = JSON.stringify({ split: probe.environment.split?.name });
      const headers = [['Content-Type', 'text/plain']] as const;
      const response = await probe.send('POST', probe.path('num_tasks'), { body, headers, follow: true });
      const isRight = response.isSuccess || [400, 415, 422].includes(response.status);
      assertConforms(isRight, `POST ${probe.path('num_tasks')} as text/plain returned ${response.summary}`);
    },
  },
  {
    id: 'error/large-task',
    title: 'A task_spec of 1 MB is accepted',
    requirement: 'ORS-ERR-008',
    profile: 'full',
    needs: ['task'],
    cost: { sessions: 2 },
    async run(probe) {
      const task = await fetchTask(probe, { split: probe.environment.split?.name ?? '', index: 0 });
      const create = async (padding: string) => {
        const body = await probe.createBody({ task: { ...task, conformance_padding: padding } });
        return await postCreate(probe, await probe.createSessionId(), body);
      };
      (await create('x')).requireSuccess('/create with a task_spec that has a field more');
      assertSuccess(await create('x'.repeat(MEGABYTE)), '/create with a task_spec of 1 MB');
    },
  },
]);

/** Stack traces of Python, JavaScript, Java, Go, Rust and Ruby. */
const TRACES = [
  /Traceback \(most recent call last\)/,
  /File "[^"]+", line \d+/,
  /(\n|\\n)\s*at .+[:(]\S*\d+\)?/,
  /goroutine \d+ \[/,
  /stack backtrace:/,
  /\.rb:\d+:in /,
];

function assertNoStackTrace(what: string, text: string): void {
  const trace = TRACES.find((pattern) => pattern.test(text));
  assertConforms(!trace, `${what} contains a stack trace: ${truncate(text, 300)}`);
}

/** Provokes one error response of each documented kind outside of streams, without a session. */
async function collectErrorResponses(probe: Probe) {
  const split = probe.environment.split?.name ?? 'train';
  const post = (action: string, json: unknown) => sendCase(probe, 'POST', probe.path(action), { json });
  const all = await Promise.all([
    sendCase(probe, 'GET', probe.path('tools', NO_ENVIRONMENT)),
    post('num_tasks', { split: NO_SPLIT }),
    post('num_tasks', { split: 5 }),
    post('tasks', {}),
    post('task', { split, index: 1_000_000_000 }),
    post('task_range', { split, start: 'x' }),
    sendCase(probe, 'POST', probe.path('num_tasks'), jsonText('{"split": ')),
    sendCase(probe, 'GET', probe.path('prompt')),
    sendCase(probe, 'GET', probe.path('prompt'), { sid: NO_SESSION }),
    sendCase(probe, 'POST', '/create', { json: {} }),
    sendCase(probe, 'POST', '/ping', { sid: NO_SESSION }),
  ]);
  const rejected = all.filter(({ response }) => response.status >= 400 && response.contentType !== 'text/event-stream');
  const areComplete = all.every(({ response }) => response.status !== 0);
  assume(areComplete, 'not every request got a response');
  assumeApplicable(rejected.length > 0, 'the server rejects none of these requests');
  return rejected;
}

async function sendCase(probe: Probe, method: string, path: string, options: RequestOptions = {}) {
  const { json, body, sid } = options;
  const sent = body === undefined ? json : String(body);
  const what = `${method} ${path}${sent === undefined ? '' : ` with ${previewJson(sent)}`}${sid === undefined ? '' : ` of '${sid}'`}`;
  return { what, response: await probe.send(method, path, { ...options, follow: true }) };
}

const sessionlessResponses = (probe: Probe) =>
  Promise.all(sessionlessRequests(probe).map(async ({ what, send }) => ({ what, response: await send() })));

/** Asserts that every route with a body rejects these bodies with 400. */
async function assertRejects(probe: Probe, bodies: readonly string[]): Promise<void> {
  const { sid } = await probe.sharedEpisode();
  const routes = [
    ...['tasks', 'num_tasks', 'task', 'task_range'].map((action) => ({ path: probe.path(action), options: {} })),
    { path: '/create', options: { sid: await probe.createSessionId() } },
    { path: probe.path('call'), options: { sid } },
  ];
  for (const { path, options } of routes) {
    for (const body of bodies) {
      const response = await probe.send('POST', path, { ...options, ...jsonText(body) });
      assertStatus(response, 400, `POST ${path} with the body ${previewJson(body)}`);
    }
  }
}
