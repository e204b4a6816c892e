import { fieldsOf, isRecord, previewJson } from '../../../core/index.ts';
import { assume, assumeApplicable } from '../../assertions.ts';
import type { Probe, ProbeEpisode, ProbeResponse } from '../../probe/index.ts';
import { type DiscoveredTerminalTool, parseTerminalTool } from '../../target.ts';
import { postCreate } from '../steps.ts';

/** A name of a toolset that no environment has. */
export const NO_TOOLSET = 'conformance_no_such_toolset';

/** Returns the response of `/tools`, or of `/task_tools` of an episode: the tools, and what is announced next to them. */
export async function toolList(probe: Probe, episode?: ProbeEpisode): Promise<Record<string, unknown>> {
  const path = episode ? '/task_tools' : '/tools';
  const { json } = (await (episode ? episode.taskTools() : probe.discover('tools'))).requireSuccess(path);
  assume(isRecord(json), `${path} returned ${previewJson(json)}`);
  return json;
}

/** Returns the names of the tools in a response of `/tools` or `/task_tools`. */
export function toolNames({ tools }: Record<string, unknown>): string[] {
  assume(Array.isArray(tools), `the list of tools is ${previewJson(tools)}`);
  return tools.map((tool) => String(fieldsOf(tool).name));
}

/** Returns the terminal tool that `/tools` announces. @throws NotApplicableError without one */
export async function requireTerminalTool(probe: Probe): Promise<DiscoveredTerminalTool> {
  const list = await toolList(probe);
  assumeApplicable((list.terminal_tool ?? null) !== null, 'the environment has no terminal tool');
  const tool = parseTerminalTool(list);
  assume(tool, `terminal_tool is ${previewJson(list.terminal_tool)}`);
  return tool;
}

/** Returns the input of a terminal tool for this text. */
export const answerInput = ({ arg }: DiscoveredTerminalTool, text: string): Record<string, unknown> =>
  arg === null ? {} : { [arg]: text };

/** Returns the messages of an episode. @throws NotApplicableError if the server has no such route */
export async function requireMessages(probe: Probe, episode: ProbeEpisode): Promise<readonly unknown[]> {
  const response = await probe.send('GET', episode.path('messages'), { sid: episode.sid });
  // The reference servers redirect unknown paths to their first environment, which responds 404 or 405 then.
  const isMissing = [307, 308, 404, 405, 501].includes(response.status);
  assumeApplicable(!isMissing, `the server has no /messages: ${response.summary}`);
  const { json } = response.requireSuccess('/messages');
  assume(Array.isArray(json), `/messages returned ${response.summary}`);
  return json;
}

/** Assumes that the environment announces group scoring. @throws NotApplicableError otherwise */
export async function assumeScoresGroups(probe: Probe): Promise<void> {
  const { supports_score_group: supports } = await toolList(probe);
  assumeApplicable(supports === true, 'the environment does not announce group scoring');
}

/** Assumes that the environment announces forks of its sessions. @throws NotApplicableError otherwise */
export async function assumeForks(probe: Probe): Promise<void> {
  const { supports_fork: supports } = await toolList(probe);
  assumeApplicable(supports === true, 'the environment does not announce forks');
}

/** Returns an episode of an environment that announces that it lacks a feature. @throws NotApplicableError without one */
export async function episodeWithout(
  probe: Probe,
  flag: 'supports_score_group' | 'supports_fork',
  feature: string,
): Promise<ProbeEpisode> {
  const own = (await toolList(probe))[flag];
  assumeApplicable(typeof own === 'boolean', `the server does not announce ${feature}`);
  if (!own) return await probe.sharedEpisode();
  const environment = probe.target.other;
  assumeApplicable(environment !== undefined, `the only environment has ${feature}`);
  const list = (await probe.discover('tools', undefined, environment)).json;
  assumeApplicable(fieldsOf(list)[flag] === false, `both environments have ${feature}`);
  return await probe.episode({ environment });
}

/** Requests an episode with this toolset. */
export async function openWithToolset(probe: Probe, toolset_name: string) {
  const sid = await probe.createSessionId();
  const { isSuccess, summary } = await postCreate(probe, sid, { ...(await probe.createBody()), toolset_name });
  return { isOpen: isSuccess, episode: probe.episodeOf(sid), summary };
}

/** Returns the reason of a call that was refused; undefined without one. */
export const reasonOf = ({ result }: ProbeResponse): unknown => fieldsOf(result).reason ?? undefined;
