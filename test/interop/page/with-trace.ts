import OpenAI from 'openai';
import { OrsClient } from 'ors-kit/client';
import { createTraceClient, recordEpisode, TraceError, wrapOpenAI } from 'ors-kit/trace';

/** Logs a conversation, and answers with the ids, the receipts of all and the whole trace as it is read back. */
export async function logConversation(url: string, apiKey: string, length: number) {
  await using traces = createTraceClient({ url, apiKey, secrets: { token: 'a very secret word' } });
  const trace = traces.createTrace({ run: 'of-a-page' });
  const { id } = trace.logMessage({ role: 'user', content: `höre 🔔 a very secret word ${'x'.repeat(length)}` });
  trace.logThink({ parent_block_id: id, payload: { text: 'y'.repeat(length) } });
  const call = trace.logAct({
    parent_block_id: id,
    payload: { call_id: 'call_1', name: 'look', arguments: { at: 1 } },
  });
  const receipt = await trace.logObserve({
    parent_block_id: call.id,
    payload: { call_id: 'call_1', output: 'z'.repeat(length) },
    extra: { reward: 1 },
  });
  const { status } = await trace.finish();
  return { id: trace.id, receipt, status, report: await traces.flush(), whole: await traces.readTrace(trace.id) };
}

/** Records an episode of countdown whose only answer is `expression`. */
export async function recordPlay(url: string, apiKey: string, server: string, expression: string) {
  await using traces = createTraceClient({ url, apiKey });
  await using client = new OrsClient(server);
  const trace = traces.createTrace({ environment: 'countdown' });
  await using session = recordEpisode(
    await client.environment('countdown').session({ split: 'test', index: 0 }),
    trace,
  );
  await session.prompt();
  const { reward } = await session.call('submit', { expression });
  await session.close();
  return { id: trace.id, reward, report: await traces.flush() };
}

/** Talks with OpenAI's package to a provider, of which `answer` is the stream. */
export async function converse(url: string, apiKey: string, answer: string) {
  await using traces = createTraceClient({ url, apiKey });
  const trace = traces.createTrace();
  const headers = { 'Content-Type': 'text/event-stream' };
  const fetch = async () => new Response(answer, { headers });
  const openai = wrapOpenAI(new OpenAI({ apiKey: 'x', dangerouslyAllowBrowser: true, fetch }), trace);
  const messages = [{ role: 'user', content: 'go' } as const];
  let heard = '';
  for await (const chunk of await openai.chat.completions.create({ model: 'gpt-x', messages, stream: true })) {
    heard += chunk.choices[0]?.delta.content ?? '';
  }
  return { id: trace.id, heard, report: await traces.flush() };
}

/** Errors of a block that the store rejects, and of a spool, which browsers do not support. */
export async function beRefused(url: string, apiKey: string) {
  const told: string[] = [];
  const onError = (error: TraceError) => void told.push(error.code);
  await using traces = createTraceClient({ url, apiKey, spool: 'spool.jsonl', onError });
  const trace = traces.createTrace();
  const error = await trace.logThink({ parent_block_id: 'tb_nobody', payload: { text: 'x' } }).catch((cause) => cause);
  return { told, code: error.code, status: error.status, isTraceError: error instanceof TraceError };
}
