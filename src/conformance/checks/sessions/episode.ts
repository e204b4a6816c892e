import { equalJson, fieldsOf, isRecord, previewJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import {
  type HttpHeader,
  JSON_TYPE,
  type Probe,
  type ProbeEpisode,
  type ProbeResponse,
  type RequestOptions,
  sessionIdOf,
} from '../../probe/index.ts';
import { isListable } from '../discovery/requests.ts';
import {
  assertStatus,
  assertSuccess,
  assumeEventStream,
  describeBrokenStream,
  ONE_PIXEL_PNG,
  streamHasEnded,
} from '../responses.ts';
import { assumeEpisodes, errorText, fetchTask, NO_SUCH_TOOL } from '../steps.ts';

const MAX_TASK_TOOLS = 4;

export const episodeChecks = defineChecks({ profile: 'core', needs: ['task'] }, [
  {
    id: 'episode/prompt-blocks',
    title: 'GET /prompt returns an array of blocks, each a text with text or an image with data and mimeType',
    requirement: 'ORS-EPI-001',
    async run(probe) {
      const response = await sharedPrompt(probe);
      assertConforms(response.isSuccess && Array.isArray(response.json), `/prompt returned ${response.summary}`);
      const wrong = response.json.find((block) => !isBlock(block));
      assertConforms(wrong === undefined, `a block of the prompt is ${previewJson(wrong)}`);
    },
  },
  {
    id: 'episode/prompt-detail',
    title: 'Every block of a prompt has detail, which may be null',
    requirement: 'ORS-EPI-002',
    async run(probe) {
      const wrong = blocksOf(await sharedPrompt(probe)).find(({ detail }) => detail === undefined);
      assertConforms(wrong === undefined, `a block of the prompt has no detail: ${previewJson(wrong)}`);
    },
  },
  {
    id: 'episode/prompt-repeats',
    title: 'GET /prompt returns the same blocks each time, also after a call',
    requirement: 'ORS-EPI-003',
    needs: ['task', 'call'],
    cost: { sessions: 1, calls: 1 },
    async play(episode, probe) {
      const { tool, input } = await probe.sample();
      const first = blocksOf(await episode.prompt());
      const what = `the prompt was ${previewJson(first)}`;
      const second = blocksOf(await episode.prompt());
      assertConforms(equalJson(first, second), `${what}, and the second time ${previewJson(second)}`);
      await episode.call(tool.name, input);
      const third = blocksOf(await episode.prompt());
      assertConforms(equalJson(first, third), `${what}, after a call of '${tool.name}' ${previewJson(third)}`);
    },
  },
  {
    id: 'episode/prompt-other-path',
    title: "GET /prompt under another environment's name returns the prompt of the session",
    requirement: 'ORS-EPI-007',
    needs: ['task', 'environments'],
    async run(probe) {
      const episode = await probe.sharedEpisode();
      const own = (await episode.prompt()).requireSuccess('/prompt');
      const other = probe.target.other ?? '';
      const response = await probe.send('GET', probe.path('prompt', other), { sid: episode.sid });
      assertSuccess(response, `/prompt under the name of the environment '${other}'`);
      // If calls change the prompt, another check may have done so in the meantime.
      const later = await episode.prompt();
      const isOwn = [own, later].some(({ json }) => equalJson(response.json, json));
      const what = `/prompt under the name of '${other}' returned ${response.summary}`;
      assertConforms(isOwn, `${what}, under its own ${own.summary}`);
    },
  },
  fixtureCheck({
    id: 'episode/prompt-fails',
    title: 'If the prompt function of an environment fails, /prompt returns 500 with a JSON detail',
    requirement: 'ORS-EPI-008',
    tools: [],
    calls: 0,
    async run(probe) {
      const response = await (await probe.episode({ task: { prompt_fail: 'no words' } })).prompt();
      const { detail = '' } = fieldsOf(response.json);
      const isReported = response.status === 500 && detail !== '';
      assertConforms(isReported, `the environment's prompt failed, and /prompt returned ${response.summary}`);
    },
  }),
  fixtureCheck({
    id: 'episode/prompt-order',
    title: 'A prompt of text, image and text arrives completely and in order',
    requirement: 'ORS-EPI-014',
    tools: [],
    calls: 0,
    async run(probe) {
      const episode = await probe.episode({ task: { id: 'picture', prompt_image: true } });
      const blocks = blocksOf(await episode.prompt());
      const kinds = blocks.map(({ type, text, mimeType }) => `${type} ${text ?? mimeType}`).join(', ');
      const expected = 'text Conformance task picture., image image/png, text Look.';
      assertConforms(kinds === expected, `the blocks of the prompt were ${kinds}; sent were ${expected}`);
      assertConforms(blocks[1]?.data === ONE_PIXEL_PNG, `the data of the image were ${previewJson(blocks[1]?.data)}`);
    },
  }),
  {
    id: 'episode/task-tools-include-tools',
    title: 'GET /task_tools lists every tool that /tools lists',
    requirement: 'ORS-EPI-004',
    async run(probe) {
      const expected = names(await sharedTools(probe));
      const response = await (await probe.sharedEpisode()).taskTools();
      assertSuccess(response, '/task_tools');
      const listed = names(toolsIn(response, '/task_tools'));
      const missing = expected.filter((name) => !listed.includes(name)).join(', ');
      assertConforms(missing === '', `/task_tools lacks ${missing} of /tools; it lists ${listed.join(', ')}`);
    },
  },
  {
    id: 'episode/same-tools',
    title: 'In an environment without task-specific tools, /tools and /task_tools return the same tool specs',
    requirement: 'ORS-EPI-009',
    cost: { sessions: 1 },
    async run(probe) {
      const lists = async (episode: ProbeEpisode) =>
        [await sharedTools(probe, episode.environment), await taskTools(episode)] as const;
      let [before, inside] = await lists(await probe.sharedEpisode());
      if (taskToolNames(inside, before).length > 0 && probe.target.other !== undefined) {
        [before, inside] = await lists(await probe.episode({ environment: probe.target.other }));
      }
      const extra = taskToolNames(inside, before);
      assumeApplicable(extra.length === 0, `the environment has task tools: ${extra.join(', ')}`);
      for (const tool of before) {
        const again = inside.find(({ name }) => name === tool.name);
        // Missing tools have their own check.
        const isSame = again === undefined || equalJson(tool, again);
        assertConforms(isSame, `/tools lists ${previewJson(tool)}, /task_tools ${previewJson(again)}`);
      }
    },
  },
  fixtureCheck({
    id: 'episode/own-tool-listed',
    title: 'A tool that is not shared is in /task_tools and not in /tools',
    requirement: 'ORS-EPI-005',
    tools: ['only_here'],
    sessions: 0,
    calls: 0,
    async run(probe) {
      const before = names(await sharedTools(probe));
      assertConforms(!before.includes('only_here'), "/tools lists 'only_here', which is a tool of the task");
      const inside = names(await taskTools(await probe.sharedEpisode()));
      const isListed = inside.includes('only_here');
      assertConforms(isListed, `/task_tools lacks 'only_here', a tool of the task: ${inside.join(', ')}`);
    },
  }),
  {
    id: 'episode/own-tool-called',
    title: 'Every tool that only /task_tools lists can be called in that session',
    requirement: 'ORS-EPI-006',
    needs: ['task', 'call'],
    cost: { sessions: 1, calls: MAX_TASK_TOOLS + 1 },
    async run(probe) {
      const before = await sharedTools(probe);
      const listed = await taskTools(await probe.sharedEpisode());
      const extra = taskToolNames(listed, before).slice(0, MAX_TASK_TOOLS);
      assumeApplicable(extra.length > 0, 'the environment has no task tools');
      const episode = await probe.episode();
      const unknown = await episode.call(NO_SUCH_TOOL);
      for (const name of extra) {
        const schema = listed.find((tool) => tool.name === name)?.input_schema ?? null;
        const [example] = (await probe.inputsOf(schema)).valid;
        const response = await episode.call(name, example?.value);
        const { failure, result } = response;
        assume(failure !== undefined || result !== undefined, `the call of '${name}' returned no result`);
        const words = [NO_SUCH_TOOL, name];
        const isKnown = errorText(response, words) !== errorText(unknown, words);
        assertConforms(isKnown, `'${name}' is listed, and its call returned ${failure}`);
      }
    },
  },
  fixtureCheck({
    id: 'episode/tool-without-parameters',
    title: 'A tool without parameters is listed with the input_schema null',
    requirement: 'ORS-EPI-012',
    tools: ['noargs'],
    sessions: 0,
    calls: 0,
    async run(probe) {
      const tool = (await taskTools(await probe.sharedEpisode())).find(({ name }) => name === 'noargs');
      assume(tool, "/task_tools does not list 'noargs'");
      assertConforms(tool.input_schema === null, `'noargs' takes no parameters, and is listed as ${previewJson(tool)}`);
    },
  }),
]);

export const flowChecks = defineChecks({ profile: 'core' }, [
  {
    id: 'episode/documented-flow',
    title: 'The ten requests of the documents, from health to delete, succeed in sequence as curl sends them',
    requirement: 'ORS-EPI-015',
    needs: ['task', 'call'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const { name, split } = probe.environment;
      const { tool, input } = await probe.sample();
      await assumeEpisodes(probe);
      assume(split, `environment '${name}' has no split with a task`);
      const request = (method: string, path: string, { headers = [], ...options }: RequestOptions = {}) =>
        probe.send(method, path, { ...options, headers: [...CURL, ...headers] });
      const body = (value: unknown) => ({ body: JSON.stringify(value), headers: [JSON_TYPE] });

      for (const path of ['/health', '/list_environments', probe.path('tools'), probe.path('splits')]) {
        (await request('GET', path)).requireSuccess(path);
      }
      const listed = isListable(split)
        ? (await request('POST', probe.path('tasks'), body({ split: split.name }))).json
        : undefined;
      const tasks = isRecord(listed) && Array.isArray(listed.tasks) ? listed.tasks : [];
      const task_spec = tasks[0] ?? (await fetchTask(probe, { split: split.name, index: 0 }));

      const issued = await request('POST', '/create_session');
      const sid = sessionIdOf(issued);
      assertConforms(sid, `step 6, /create_session, returned ${issued.summary}`);
      const { secrets = {} } = await probe.createBody();
      const created = await request('POST', '/create', { sid, ...body({ env_name: name, task_spec, secrets }) });
      assertStatus(created, 200, 'step 7, /create,');
      const prompt = await request('GET', probe.path('prompt'), { sid });
      assertStatus(prompt, 200, 'step 8, /prompt,');
      const call = await probe
        .episodeOf(sid)
        .start(tool.name, input, { headers: CURL.slice(0, 1) })
        .end();
      const isComplete = call.exchange.failure === undefined && streamHasEnded(call);
      assertStatus(call, 200, 'step 9, /call,');
      assumeEventStream(call);
      assertConforms(isComplete, `step 9, /call, returned an incomplete stream: ${describeBrokenStream(call)}`);
      assertStatus(await request('POST', '/delete', { sid }), 200, 'step 10, /delete,');
    },
  },
]);

const sharedPrompt = async (probe: Probe): Promise<ProbeResponse> => (await probe.sharedEpisode()).prompt();

/** Returns the blocks of a prompt that are objects. @throws UntestableError if the prompt is not a list */
function blocksOf(response: ProbeResponse): Record<string, unknown>[] {
  const { json } = response.requireSuccess('/prompt');
  assume(Array.isArray(json), `/prompt returned ${response.summary}`);
  return json.filter(isRecord);
}

function isBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  if (block.type === 'text') return typeof block.text === 'string';
  return block.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string';
}

/** Returns the listed tools that are objects. @throws UntestableError without a list */
function toolsIn(response: ProbeResponse, what: string): Record<string, unknown>[] {
  const { json } = response.requireSuccess(what);
  assume(isRecord(json) && Array.isArray(json.tools), `${what} returned ${response.summary}`);
  return json.tools.filter(isRecord);
}

const sharedTools = async (probe: Probe, environment?: string) =>
  toolsIn(await probe.discover('tools', undefined, environment), '/tools');

const taskTools = async (episode: ProbeEpisode) => toolsIn(await episode.taskTools(), '/task_tools');

const names = (tools: readonly Record<string, unknown>[]) => tools.map(({ name }) => String(name));

/** Returns the names of task tools. */
const taskToolNames = (tools: readonly Record<string, unknown>[], without: readonly Record<string, unknown>[]) =>
  names(tools).filter((name) => !names(without).includes(name));

/** Headers that curl sends by default. */
const CURL: readonly HttpHeader[] = [
  ['User-Agent', 'curl/8.5.0'],
  ['Accept', '*/*'],
];
