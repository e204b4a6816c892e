import { createTraceClient, type TraceClient, type TraceHandle } from 'ors-kit/trace';

/** Writes examples for the viewer: a training run, and single traces with unusual content. */
export async function fillSample(url: string, { steps = 6, longBlocks = 10_000 } = {}): Promise<void> {
  await using traces = createTraceClient({ url });
  for (let step = 0; step < steps; step++) {
    for (let task = 0; task < 4; task++) {
      for (let rollout = 0; rollout < 8; rollout++) await logRollout(traces, { step, task, rollout, steps });
      await traces.ready();
    }
  }
  await logOddities(traces);
  if (longBlocks > 0) await logLong(traces, longBlocks);
  const { failed } = await traces.flush();
  if (failed.length > 0) throw new Error(`not stored: ${JSON.stringify(failed[0])}`);
}

interface Rollout {
  readonly step: number;
  readonly task: number;
  readonly rollout: number;
  readonly steps: number;
}

/** Logs a rollout. Rewards improve with the steps; task 0 is always solved, task 3 never. */
async function logRollout(traces: TraceClient, { step, task, rollout, steps }: Rollout): Promise<void> {
  const trace = traces.createTrace({
    id: `tr_sample_${step}_${task}_${rollout}`,
    run: 'countdown-grpo',
    environment: 'countdown',
    split: 'train',
    task_index: task,
    task_spec: { numbers: [task + 1, 25, 100], target: 100 + task },
    step,
    rollout_index: rollout,
    model: 'small-model-7b',
    tags: rollout === 0 ? ['first', 'kept'] : [],
  });
  const isSolved = task === 0 || (task !== 3 && (rollout * 7 + step * 3 + task) % 8 < 1 + (6 * step) / steps);
  const prompt = trace.logMessage({ role: 'user', content: `Make ${100 + task} of ${task + 1}, 25 and 100.` });
  trace.logThink({ parent_block_id: prompt.id, payload: { text: 'Look at the numbers first.' } });
  for (let turn = 0; turn < 2 + (rollout % 3); turn++) {
    const message = trace.logMessage({ role: 'assistant', content: `Attempt **${turn + 1}**: let me evaluate.` });
    const call_id = `call_${turn}`;
    const expression = turn === 0 ? '100 + 1' : `100 + ${turn} * ${rollout}`;
    const call = trace.logAct({
      parent_block_id: message.id,
      payload: { call_id, name: 'evaluate', arguments: { expression } },
    });
    const isError = (rollout + turn) % 5 === 4;
    const output = isError ? { ok: false, error: 'division by zero' } : textOutput(`= ${101 + turn}`, -0.05);
    trace.logObserve({
      parent_block_id: call.id,
      payload: { call_id, output },
      extra: isError ? { tool_error: true } : { reward: -0.05 },
    });
  }
  const last = trace.logMessage({ role: 'assistant', content: 'I submit.' });
  const submit = trace.logAct({
    parent_block_id: last.id,
    payload: { call_id: 'submit', name: 'submit', arguments: { expression: isSolved ? '100 + 1' : '100' } },
  });
  trace.logObserve({
    parent_block_id: submit.id,
    payload: { call_id: 'submit', output: textOutput(isSolved ? 'right' : 'wrong', isSolved ? 1 : 0) },
    extra: { reward: isSolved ? 1 : 0, finished: true },
  });
  await trace.finish(rollout === 7 && task === 2 ? { status: 'error' } : {});
}

const textOutput = (text: string, reward = 0) => ({
  blocks: [{ type: 'text', text }],
  metadata: { judge: 'not for the model' },
  reward,
  finished: false,
});

/** A red pixel and a grey one. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

async function logOddities(traces: TraceClient): Promise<void> {
  const trace = traces.createTrace({ id: 'tr_odd', run: 'oddities', name: 'everything odd', model: 'odd-model' });
  trace.logMessage({ role: 'system', content: 'You are a careful agent.' });
  const message = trace.logMessage({
    role: 'assistant',
    content:
      '# A heading\n\nSome **bold** text, `code`, a [link](https://example.org) and a [bad one](javascript:alert(1)).\n\n- one\n- two\n\n```python\nprint("hello")\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>window.hacked = true</script><img src=x onerror="window.hacked = true">',
  });
  trace.logThink({ parent_block_id: message.id, payload: { text: 'first a thought' } });
  logCall(trace, message.id, 'ansi', {
    blocks: [{ type: 'text', text: '\u001b[31mred\u001b[0m and \u001b[1;32mbold green\u001b[0m\u001b[2J' }],
    metadata: { exit_code: 0, hidden: 'only for people' },
    reward: 0.5,
    finished: false,
  });
  trace.logThink({ parent_block_id: message.id, payload: { text: 'then another, \u202eright to left\u202c' } });
  logCall(trace, message.id, 'picture', {
    blocks: [
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'image', data: 'not base64!', mimeType: 'image/png' },
      { type: 'text', text: 'a picture' },
    ],
    reward: -1,
    finished: false,
  });
  logCall(trace, message.id, 'json', { nested: { list: [1, 2, { deep: true }], text: 'x'.repeat(300) }, none: null });
  logCall(trace, message.id, 'large', 'line of a large result\n'.repeat(90_000));
  const call = trace.logAct({
    parent_block_id: message.id,
    payload: { call_id: 'stream', name: 'stream', arguments: {} },
  });
  for (const seq of [0, 1, 3]) {
    trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'stream', delta: `piece ${seq}\n`, seq } });
  }
  await trace.finish();
}

function logCall(trace: TraceHandle, parent: string, name: string, output: unknown): void {
  const call = trace.logAct({ parent_block_id: parent, payload: { call_id: name, name, arguments: { of: name } } });
  const reward = (output as { reward?: number }).reward;
  trace.logObserve({
    parent_block_id: call.id,
    payload: { call_id: name, output: output as never },
    ...(reward !== undefined && { extra: { reward } }),
  });
}

async function logLong(traces: TraceClient, blocks: number): Promise<void> {
  const trace = traces.createTrace({ id: 'tr_long', run: 'oddities', name: 'a long one', environment: 'shell' });
  for (let turn = 0; turn < blocks / 4; turn++) {
    const message = trace.logMessage({ role: 'assistant', content: `Turn ${turn}. ${'word '.repeat(turn % 40)}` });
    trace.logThink({ parent_block_id: message.id, payload: { text: `I think about turn ${turn}.` } });
    const call_id = `call_${turn}`;
    const call = trace.logAct({
      parent_block_id: message.id,
      payload: { call_id, name: turn % 5 === 0 ? 'write_file' : 'bash', arguments: { command: `ls -la /tmp/${turn}` } },
    });
    trace.logObserve({
      parent_block_id: call.id,
      payload: { call_id, output: textOutput(`total ${turn}\n${'-rw-r--r-- file\n'.repeat(turn % 12)}`) },
      ...(turn % 10 === 0 && { extra: { reward: ((turn % 30) - 10) / 100 } }),
    });
    await traces.ready();
  }
  await trace.finish();
}
