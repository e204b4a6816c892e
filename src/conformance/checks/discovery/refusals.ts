import { previewJson } from '../../../core/index.ts';
import type { Probe, ProbeResponse } from '../../probe/index.ts';
import { assume, assumeApplicable } from '../../verdict.ts';
import { jsonText, NO_ENVIRONMENT, NO_SESSION, NO_SPLIT } from './requests.ts';

/** A request that a server refuses, and how it did. */
export interface ErrorResponseCase {
  readonly what: string;
  readonly answer: ProbeResponse;
}

/** One refusal of each documented kind, as far as the server does refuse, outside of streams. No session is needed. */
export async function collectErrorResponses(probe: Probe): Promise<ErrorResponseCase[]> {
  const split = probe.environment.split?.name ?? 'train';
  const post = (action: string, json: unknown) => ask(probe, 'POST', probe.path(action), { json });
  const all = await Promise.all([
    ask(probe, 'GET', probe.path('tools', NO_ENVIRONMENT)),
    post('num_tasks', { split: NO_SPLIT }),
    post('num_tasks', { split: 5 }),
    post('tasks', {}),
    post('task', { split, index: 1_000_000_000 }),
    post('task_range', { split, start: 'x' }),
    ask(probe, 'POST', probe.path('num_tasks'), jsonText('{"split": ')),
    ask(probe, 'GET', probe.path('prompt')),
    ask(probe, 'GET', probe.path('prompt'), { sid: NO_SESSION }),
    ask(probe, 'POST', '/create', { json: {} }),
    ask(probe, 'POST', '/ping', { sid: NO_SESSION }),
  ]);
  const refused = all.filter(
    ({ answer: response }) => response.status >= 400 && response.contentType !== 'text/event-stream',
  );
  assume(
    all.every(({ answer: response }) => response.status !== 0),
    'not every request got an answer',
  );
  assumeApplicable(refused.length > 0, 'the server refuses nothing');
  return refused;
}

async function ask(
  probe: Probe,
  method: string,
  path: string,
  options: Parameters<Probe['send']>[2] = {},
): Promise<ErrorResponseCase> {
  const { json, body, sid } = options;
  const sent = body === undefined ? json : String(body);
  const what = `${method} ${path}${sent === undefined ? '' : ` with ${previewJson(sent)}`}${sid === undefined ? '' : ` of '${sid}'`}`;
  return { what, answer: await probe.send(method, path, { ...options, follow: true }) };
}
