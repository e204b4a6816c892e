import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { exportFormats, type TraceSource } from '../../src/trace/formats/index.ts';
import fc, { runs } from '../support/fast-check.ts';
import { sourceOf } from '../trace/formats/sources.ts';
import { weather } from '../trace/formats/weather.ts';
import { history } from '../trace/model/histories.ts';
import { describeWithPython, runPlayer } from './python.ts';

/** One trace with all that a trace can have, and many of any shape. */
const sources = (): TraceSource[] => [
  weather(),
  ...fc.sample(history, { numRuns: runs(200), seed: 6 }).map((rows) => sourceOf(rows)),
];

describeWithPython()('exports of traces', () => {
  test('are read by the programs that they are for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ors-kit-trace-formats-'));
    try {
      for (const { write, extension } of Object.values(exportFormats)) {
        let text = '';
        for (const source of sources()) for await (const part of write(source)) text += part;
        await writeFile(join(folder, `traces.${extension}`), text);
      }

      const { exitCode, lines } = await runPlayer('trace_formats_reader.py', [folder]);

      expect(exitCode).toBe(0);
      expect(lines.filter((line) => line.startsWith('not ok'))).toEqual([]);
      const counts = new Map(lines.map((line) => [line.split(' ')[1], Number(line.split(' ')[2])]));
      const spoken = sources().length;
      expect([...counts.keys()]).toEqual(['openai.jsonl', 'sharegpt.jsonl', 'atif.jsonl', 'otlp.jsonl', 'jsonl']);
      expect([counts.get('jsonl'), counts.get('otlp.jsonl')]).toEqual([spoken, spoken]);
      for (const name of ['openai.jsonl', 'atif.jsonl', 'sharegpt.jsonl']) {
        expect(counts.get(name)).toBeGreaterThan(spoken / 2);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
