import { equalJson, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms } from '../../verdict.ts';
import { assumeEventStream, outputText } from './reading.ts';

/** What `odd_text` gives, by its kind. */
const ODD: Readonly<Record<string, string>> = {
  nul: 'a\u0000b',
  separators: 'a\u2028b\u2029c',
  crlf: 'a\r\nb\rc\n',
};

/** Every kind of JSON value, at some depth. */
const ANY_JSON = {
  '': 'an empty key',
  'a b/c~d"e': [],
  text: '',
  numbers: [0, -1, 1.5, 1e-7, 1e21, 9_007_199_254_740_991],
  others: [null, true, false, {}, [[], [[]]]],
  deep: { list: [{ list: [{ list: [{ value: null }] }] }] },
  unicode: 'snow \u2603 \u{1F600}',
};

export const textChecks: readonly ConformanceCheck[] = [
  {
    id: 'call/odd-text',
    title: 'Texts that are hard to send arrive as JSON, or the call is reported as failed',
    requirement: 'ORS-CALL-024',
    profile: 'full',
    needs: ['fixture:odd_text'],
    cost: { sessions: 1, calls: 4 },
    async run(probe) {
      const episode = await probe.episode();
      for (const kind of [...Object.keys(ODD), 'surrogate']) {
        const response = await episode.start('odd_text', { kind }).end();
        assumeEventStream(response);
        const what = `the text '${kind}'`;
        assertConforms(
          response.streamError !== undefined || response.result !== undefined,
          `${what} was answered with ${response.summary}`,
        );
        if (response.failure !== undefined || ODD[kind] === undefined) continue;
        const text = outputText(response);
        assertConforms(text === ODD[kind], `${what}, ${previewJson(ODD[kind])}, arrived as ${previewJson(text)}`);
      }
    },
  },
  {
    id: 'type/any-json',
    title: 'Any JSON in an input, a task and metadata arrives unchanged',
    requirement: 'ORS-TYPE-001',
    profile: 'full',
    needs: ['fixture:echo', 'fixture:show_task'],
    cost: { sessions: 1, calls: 2 },
    async run(probe) {
      const task = { id: 'any-json', any: ANY_JSON };
      const episode = await probe.episode({ task });
      const { metadata } = (await episode.call('echo', { text: 'any', metadata: ANY_JSON })).output;
      assertConforms(
        equalJson(metadata, ANY_JSON),
        `the metadata ${JSON.stringify(ANY_JSON)} arrived as ${JSON.stringify(metadata)}`,
      );
      const shown = (await episode.call('show_task')).output.metadata as { task?: unknown } | null | undefined;
      assertConforms(
        equalJson(shown?.task, task),
        `the task ${JSON.stringify(task)} arrived as ${JSON.stringify(shown?.task)}`,
      );
    },
  },
];
