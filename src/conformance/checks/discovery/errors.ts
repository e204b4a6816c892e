import { isRecord, previewJson, truncate } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { collectErrorResponses } from './refusals.ts';

/** As Python, JavaScript and Java, Go, Rust and Ruby print where they were. */
const TRACES = [
  /Traceback \(most recent call last\)/,
  /File "[^"]+", line \d+/,
  /(\n|\\n)\s*at .+[:(]\S*\d+\)?/,
  /goroutine \d+ \[/,
  /stack backtrace:/,
  /\.rb:\d+:in /,
];

export const errorChecks: readonly ConformanceCheck[] = [
  {
    id: 'error/detail',
    title: 'Every refusal is JSON with detail',
    requirement: 'ORS-ERR-001',
    profile: 'discovery',
    async run(probe) {
      for (const { what, answer: response } of await collectErrorResponses(probe)) {
        assertConforms(
          isRecord(response.json) && 'detail' in response.json,
          `${what} gave no JSON with detail: ${response.summary}`,
        );
      }
    },
  },
  {
    id: 'error/detail-text',
    title: 'The detail of every refusal is a non-empty text',
    requirement: 'ORS-ERR-002',
    profile: 'discovery',
    async run(probe) {
      const details = (await collectErrorResponses(probe)).flatMap(({ what, answer: { json } }) =>
        isRecord(json) && 'detail' in json ? [{ what, detail: json.detail }] : [],
      );
      assume(details.length > 0, 'no refusal has a detail');
      for (const { what, detail } of details) {
        assertConforms(
          typeof detail === 'string' && detail.trim() !== '',
          `${what} gave the detail ${previewJson(detail)}`,
        );
      }
    },
  },
  {
    id: 'error/invalid-field',
    title: 'A field of the wrong type is answered with 400, and the text names it',
    requirement: 'ORS-ERR-010',
    profile: 'discovery',
    async run(probe) {
      const { split } = probe.environment;
      const bad = [
        { action: 'task', json: { split: split?.name, index: {} }, field: 'index' },
        { action: 'task_range', json: { split: split?.name, start: 'x' }, field: 'start' },
        { action: 'task_range', json: { split: split?.name, stop: 'x' }, field: 'stop' },
      ];
      const cases = [{ action: 'num_tasks', json: { split: 5 }, field: 'split' }, ...(split ? bad : [])];
      for (const { action, json, field } of cases) {
        const response = await probe.send('POST', probe.path(action), { json, follow: true });
        const what = `POST ${probe.path(action)} with ${previewJson(json)}`;
        assertConforms(response.status === 400, `${what} gave ${response.summary}`);
        assertConforms(response.detail.includes(field), `${what} does not name '${field}' but says ${response.detail}`);
      }
    },
  },
  {
    id: 'error/trace',
    title: 'No refusal shows a stack trace',
    requirement: 'ORS-ERR-014',
    profile: 'discovery',
    async run(probe) {
      for (const { what, answer: response } of await collectErrorResponses(probe))
        showsNoTrace(what, `${response.detail}\n${response.text}`);
    },
  },
  {
    id: 'error/trace-of-author',
    title: 'Neither a prompt that fails nor a tool that crashes shows a stack trace',
    requirement: 'ORS-ERR-014',
    profile: 'full',
    needs: ['fixture:crash'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const episode = await probe.episode({ task: { prompt_fail: 'The prompt failed.' } });
      const prompt = await episode.prompt();
      assume(!prompt.isSuccess, 'a prompt that fails was answered with a success');
      showsNoTrace('/prompt', `${prompt.detail}\n${prompt.text}`);
      const { failure } = await episode.call('crash');
      assume(failure !== undefined, 'a tool that crashes was answered with a success');
      showsNoTrace("a call of 'crash'", failure);
    },
  },
];

function showsNoTrace(what: string, text: string): void {
  const trace = TRACES.find((pattern) => pattern.test(text));
  assertConforms(!trace, `${what} shows where the server was: ${truncate(text, 300)}`);
}
