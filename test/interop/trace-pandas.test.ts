import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { serveTraces } from '../../src/trace/api/index.ts';
import { createTraceClient, type TraceClient } from '../../src/trace/client/index.ts';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { codeBlocks } from '../support/document.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { describeWithPython, interpreter } from './python.ts';

const run = promisify(execFile);
const code = codeBlocks('docs/traces.md').find(({ info }) => info === 'python')?.code ?? '';

/** Results of the recipe and the third view, as JSON. */
const REPORT = `
import json
steps = rewards.groupby("step").reward_sum.agg(["mean", "std", "count"]).reset_index()
ladder = pd.read_sql("SELECT * FROM rewards ORDER BY trace_id, ord", db)
print("---")
print(json.dumps([frame.to_dict("records") for frame in (steps, calls, ladder)], default=str))
`;

/** A call that was paid. */
function play(traces: TraceClient, step: number, reward: number): void {
  const trace = traces.createTrace({ run: 'first-run', step, task_spec: { city: 'Bogotá' } });
  const { id } = trace.logMessage({ role: 'user', content: "what's the weather?" });
  const payload = { call_id: 'call_1', name: reward > 0 ? 'get_weather' : 'wait', arguments: { city: 'Bogotá' } };
  const call = trace.logAct({ parent_block_id: id, payload });
  trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'call_1', output: '22 °C' }, extra: { reward } });
}

describeWithPython(sqliteMissing)('pandas', () => {
  test('reads what the documents say it reads, while a server writes the file', async () => {
    await using folder = await newFolder();
    await using store = await openSqliteStore({ path: join(folder.path, 'traces.db') });
    await using server = await serveTraces({ store, port: 0, metrics: false });
    await using traces = createTraceClient({ url: server.url });
    for (const [step, reward] of [
      [1, 0],
      [1, 1],
      [2, 0.5],
      [2, 2.5],
    ] as const) {
      play(traces, step, reward);
    }
    expect((await traces.flush()).failed).toEqual([]);

    const { stdout } = await run(interpreter, ['-W', 'error', '-c', code + REPORT], { cwd: folder.path });

    const [printed = '', report = ''] = stdout.split('---\n');
    expect(printed).toMatch(/mean +std +count/);
    expect(printed).toMatch(/get_weather +3/);
    const [steps, calls, ladder] = JSON.parse(report);
    expect(steps).toEqual([
      { step: 1, mean: 0.5, std: expect.closeTo(Math.SQRT1_2), count: 2 },
      { step: 2, mean: 1.5, std: expect.closeTo(Math.SQRT2), count: 2 },
    ]);
    const city = '{"city":"Bogotá"}';
    expect(calls.map(({ name, arguments: given }: Record<string, unknown>) => [name, given]).sort()).toEqual([
      ['get_weather', city],
      ['get_weather', city],
      ['get_weather', city],
      ['wait', city],
    ]);
    expect(ladder.map(({ reward_until_then }: Record<string, unknown>) => reward_until_then).sort()).toEqual([
      0, 0.5, 1, 2.5,
    ]);
  });
});
