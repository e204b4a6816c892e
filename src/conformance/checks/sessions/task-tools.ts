import { equalJson, isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import type { Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';

const NO_SUCH_TOOL = 'conformance_no_such_tool';
const MAX_TASK_TOOLS = 4;

/** The tools that an answer lists, as far as they are objects. */
function toolsIn(response: ProbeResponse, what: string): Record<string, unknown>[] {
  const { json } = response.requireSuccess(what);
  assume(isRecord(json) && Array.isArray(json.tools), `${what} gave ${response.summary}`);
  return json.tools.filter(isRecord);
}

const shared = async (probe: Probe, environment = probe.environment.name) =>
  toolsIn(await probe.send('GET', probe.path('tools', environment), { follow: true }), '/tools');

const all = async (episode: ProbeEpisode) => toolsIn(await episode.taskTools(), '/task_tools');

const names = (tools: readonly Record<string, unknown>[]) => tools.map(({ name }) => String(name));

/** The tools that only an episode has. */
const own = (tools: readonly Record<string, unknown>[], without: readonly Record<string, unknown>[]) =>
  names(tools).filter((name) => !names(without).includes(name));

/** What a refusal says when these names of tools are left out. */
const wording = (response: ProbeResponse, names: readonly string[]) =>
  names.reduce((text, name) => text.replaceAll(name, ''), `${response.status} ${response.failure}`);

export const taskToolsChecks: readonly ConformanceCheck[] = [
  {
    id: 'episode/task-tools-include-tools',
    title: 'GET /task_tools lists every tool that /tools lists',
    requirement: 'ORS-EPI-004',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      const expected = names(await shared(probe));
      const response = await (await probe.sharedEpisode()).taskTools();
      assertConforms(response.isSuccess, `/task_tools gave ${response.summary}`);
      const listed = names(toolsIn(response, '/task_tools'));
      const missing = expected.filter((name) => !listed.includes(name));
      assertConforms(
        missing.length === 0,
        `/task_tools lacks ${missing.join(', ')} of /tools; it lists ${listed.join(', ')}`,
      );
    },
  },
  {
    id: 'episode/same-tools',
    title: 'In an environment without task-specific tools, /tools and /task_tools specify the same tools alike',
    requirement: 'ORS-EPI-009',
    profile: 'core',
    needs: ['task'],
    cost: { sessions: 1 },
    async run(probe) {
      const lists = async (episode: ProbeEpisode) =>
        [await shared(probe, episode.environment), await all(episode)] as const;
      let [before, inside] = await lists(await probe.sharedEpisode());
      if (own(inside, before).length > 0 && probe.target.other !== undefined) {
        [before, inside] = await lists(await probe.episode({ environment: probe.target.other }));
      }
      const extra = own(inside, before);
      assumeApplicable(extra.length === 0, `tasks have tools of their own here: ${extra.join(', ')}`);
      for (const tool of before) {
        const again = inside.find(({ name }) => name === tool.name);
        // That no tool is missing is a check of its own.
        const isSame = again === undefined || equalJson(tool, again);
        assertConforms(isSame, `/tools lists ${previewJson(tool)}, /task_tools ${previewJson(again)}`);
      }
    },
  },
  {
    id: 'episode/own-tool-listed',
    title: 'A tool that is not shared is in /task_tools and not in /tools',
    requirement: 'ORS-EPI-005',
    profile: 'full',
    needs: ['fixture:only_here'],
    async run(probe) {
      const before = names(await shared(probe));
      assertConforms(!before.includes('only_here'), "/tools lists 'only_here', which is a tool of the task");
      const inside = names(await all(await probe.sharedEpisode()));
      assertConforms(
        inside.includes('only_here'),
        `/task_tools lacks 'only_here', a tool of the task: ${inside.join(', ')}`,
      );
    },
  },
  {
    id: 'episode/own-tool-called',
    title: 'Every tool that only /task_tools lists can be called in that session',
    requirement: 'ORS-EPI-006',
    profile: 'core',
    needs: ['task', 'call'],
    cost: { sessions: 1, calls: MAX_TASK_TOOLS + 1 },
    async run(probe) {
      const before = await shared(probe);
      const listed = await all(await probe.sharedEpisode());
      const extra = own(listed, before).slice(0, MAX_TASK_TOOLS);
      assumeApplicable(extra.length > 0, 'tasks have no tools of their own here');
      const episode = await probe.episode();
      const unknown = await episode.call(NO_SUCH_TOOL);
      for (const name of extra) {
        const schema = listed.find((tool) => tool.name === name)?.input_schema ?? null;
        const [example] = (await probe.inputsOf(schema)).valid;
        const response = await episode.call(name, example?.value);
        assume(response.failure !== undefined || response.result !== undefined, `the call of '${name}' gave no result`);
        const words = [NO_SUCH_TOOL, name];
        assertConforms(
          wording(response, words) !== wording(unknown, words),
          `'${name}' is listed, and its call gave ${response.failure}`,
        );
      }
    },
  },
  {
    id: 'episode/tool-without-parameters',
    title: 'A tool without parameters is listed with the input_schema null',
    requirement: 'ORS-EPI-012',
    profile: 'full',
    needs: ['fixture:noargs'],
    async run(probe) {
      const tool = (await all(await probe.sharedEpisode())).find(({ name }) => name === 'noargs');
      assume(tool, "/task_tools does not list 'noargs'");
      assertConforms(tool.input_schema === null, `'noargs' takes no parameters, and is listed as ${previewJson(tool)}`);
    },
  },
];
