import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { stringifyJson } from '../../src/core/index.ts';
import { serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import { describeWithPython, interpreter } from './python.ts';

const run = promisify(execFile);

describeWithPython()("OpenTelemetry's SDK for Python", () => {
  test('sends spans of an agent, which become a trace, and reads how many were rejected', async () => {
    await using store = createMemoryStore();
    await using server = await serveTraces({ store, port: 0, metrics: false });

    const { stdout } = await run(interpreter, ['test/interop/spans_logger.py', `${server.url}/v1/traces`]);

    const stored = [0, ''];
    const printed = stdout.trim().split('\n');
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      ...[stored, stored, stored, stored],
      [1, 'spans need a trace id and a span id'],
    ]);
    const [trace] = (await store.traces('default', { limit: 1 })).items;
    expect(trace).toMatchObject({ name: 'agent', run: 'spans', model: 'some-model', status: 'finished' });
    const blocks = (await store.blocks('default', trace?.id ?? '')).map(({ block }) => block);
    expect(blocks.map(({ payload }) => stringifyJson(payload))).toEqual([
      '{"role":"user","content":"weather?"}',
      '{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"get_weather"}]}',
      '{"call_id":"call_1","name":"get_weather","arguments":{"city":"Bogotá","id":12345678901234567890}}',
      '{"call_id":"call_1","output":{"degrees":22}}',
      '{"role":"assistant","content":"22 °C"}',
    ]);
    expect(stringifyJson(blocks[1]?.raw)).toContain(
      '"app.floats":[0.5,-1.5],"app.large":4611686018427387904,"app.negative":-5,"app.flag":true',
    );
  });
});
