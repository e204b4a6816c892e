import { isRecord } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { type HttpHeader, type ProbeResponse, type RequestOptions, sessionIdOf } from '../../probe/index.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { assumeEventStream, describeBrokenStream, streamHasEnded } from '../calls/reading.ts';
import { assumeEpisodes, fetchTask } from './steps.ts';

const MAX_LISTED = 1_000;

/** The headers that curl sends by itself. */
const CURL: readonly HttpHeader[] = [
  ['User-Agent', 'curl/8.5.0'],
  ['Accept', '*/*'],
];

const JSON_BODY: HttpHeader = ['Content-Type', 'application/json'];

export const flowChecks: readonly ConformanceCheck[] = [
  {
    id: 'episode/documented-flow',
    title: 'The ten requests of the documents, from health to delete, succeed in a row as curl sends them',
    requirement: 'ORS-EPI-015',
    profile: 'core',
    needs: ['task', 'call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { name, split } = probe.environment;
      const { tool, input } = await probe.sample();
      await assumeEpisodes(probe);
      assume(split, `environment '${name}' has no split with a task`);
      const ask = (
        method: string,
        path: string,
        { headers = [], ...options }: RequestOptions = {},
      ): Promise<ProbeResponse> => probe.send(method, path, { ...options, headers: [...CURL, ...headers] });
      const body = (value: unknown) => ({ body: JSON.stringify(value), headers: [JSON_BODY] });

      for (const path of ['/health', '/list_environments', probe.path('tools'), probe.path('splits')]) {
        (await ask('GET', path)).requireSuccess(path);
      }
      const isSmall = split.count !== undefined && split.count <= MAX_LISTED;
      const listed = isSmall ? (await ask('POST', probe.path('tasks'), body({ split: split.name }))).json : undefined;
      const tasks = isRecord(listed) && Array.isArray(listed.tasks) ? listed.tasks : [];
      const task_spec = tasks[0] ?? (await fetchTask(probe, { split: split.name, index: 0 }));

      const issued = await ask('POST', '/create_session');
      const sid = sessionIdOf(issued);
      assertConforms(sid, `step 6, /create_session, gave ${issued.summary}`);
      const { secrets = {} } = await probe.createBody();
      const created = await ask('POST', '/create', { sid, ...body({ env_name: name, task_spec, secrets }) });
      assertConforms(created.status === 200, `step 7, /create, gave ${created.summary}`);
      const prompt = await ask('GET', probe.path('prompt'), { sid });
      assertConforms(prompt.status === 200, `step 8, /prompt, gave ${prompt.summary}`);
      const call = await probe
        .episodeOf(sid)
        .start(tool.name, input, { headers: CURL.slice(0, 1) })
        .end();
      const isWhole = call.exchange.failure === undefined && streamHasEnded(call);
      assertConforms(call.status === 200, `step 9, /call, gave ${call.summary}`);
      assumeEventStream(call);
      assertConforms(isWhole, `step 9, /call, gave no whole stream: ${describeBrokenStream(call)}`);
      const deleted = await ask('POST', '/delete', { sid });
      assertConforms(deleted.status === 200, `step 10, /delete, gave ${deleted.summary}`);
    },
  },
];
