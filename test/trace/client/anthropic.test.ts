import type { MessageParam } from '@anthropic-ai/sdk/resources';
import { describe, expect, it } from '@jest/globals';
import { eventsOf, message, toolUse } from './anthropic-fixtures.ts';
import { converseWithAnthropic, outline } from './providers.ts';
import { watchRejections } from './store-and-proxy.ts';

const params = { model: 'claude-x', max_tokens: 100 };
const go: MessageParam[] = [{ role: 'user', content: 'go' }];
const thinking = { type: 'thinking', thinking: 'let me see', signature: 'sig' };
const redacted = { type: 'redacted_thinking', data: 'x' };
const said = (text: string) => ({ type: 'text', text });
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } } as const;

describe('messages of Anthropic', () => {
  it('logs each message once, with thinking, parallel calls and results', async () => {
    const calls = [toolUse('toolu_1', 'look', { at: 'door' }), toolUse('toolu_2', 'look', { at: 'wall' })];
    const answer = message([thinking, redacted, said('I look.'), ...calls], { stop_reason: 'tool_use' });
    await using stage = await converseWithAnthropic({ json: answer }, { json: message([said('A door.')]) });
    const cache_control = { type: 'ephemeral' } as const;
    const question = { type: 'text', text: 'see', cache_control } as const;

    const first = await stage.client.messages.create({
      ...params,
      system: [{ type: 'text', text: 'be brief', cache_control }],
      messages: [{ role: 'user', content: [image, question] }],
    });
    await stage.client.beta.messages.create({
      ...params,
      system: 'be brief',
      messages: [
        // `cache_control` has moved to a later message.
        { role: 'user', content: [image, { type: 'text', text: 'see' }] },
        { role: 'assistant', content: first.content as never },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no wall', is_error: true },
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [image] },
            { type: 'text', text: 'and now?', cache_control },
          ],
        },
      ],
    });

    const logged = await stage.messages();
    const shown = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
    expect(outline(logged)).toEqual([
      ['system', 'be brief'],
      ['user', [shown, { type: 'text', text: 'see' }]],
      [
        'assistant',
        'I look.',
        { think: 'let me see' },
        { look: { at: 'door' }, outputs: [[shown]] },
        { look: { at: 'wall' }, outputs: ['no wall'] },
      ],
      ['user', 'and now?'],
      ['assistant', 'A door.'],
    ]);
    expect(logged[2]?.tool_calls[1]?.tool_results[0]?.extra).toEqual({ tool_error: true });
    expect(logged[2]?.raw).toEqual({ request: params, response: answer });
    expect(logged[2]?.extra).toEqual({
      response_id: 'msg_1',
      model: 'claude-x',
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    });
  });

  it('logs refused and empty messages unchanged', async () => {
    await using stage = await converseWithAnthropic({ json: message([], { stop_reason: 'refusal' }) });

    await stage.client.messages.create({ ...params, messages: go });

    const logged = await stage.messages();
    expect(outline(logged)[1]).toEqual(['assistant', [{ type: 'text', text: '' }]]);
    expect(logged[1]?.extra).toMatchObject({ stop_reason: 'refusal' });
  });

  it('keeps searches of the provider, also in a stream and its repetition, and documents of any size', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'doors' } };
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };
    const first = message([search, found, said('None.')]);
    await using stage = await converseWithAnthropic({ events: eventsOf(first) }, { json: message([said('Bye.')]) });
    const data = 'aGVsbG8='.repeat(40_000);
    const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } } as const;
    const messages: MessageParam[] = [{ role: 'user', content: [document] }];

    const answer = await stage.client.messages.stream({ ...params, messages }).finalMessage();
    messages.push({ role: 'assistant', content: answer.content }, { role: 'user', content: 'bye' });
    await stage.client.messages.create({ ...params, messages });

    const logged = outline(await stage.messages());
    expect(logged.slice(1)).toEqual([
      ['assistant', [search, found, said('None.')]],
      ['user', 'bye'],
      ['assistant', 'Bye.'],
    ]);
    const { messages: whole } = await stage.readWhole();
    expect(whole[0]?.payload.content).toEqual([document]);
  });
});

describe('streams of messages', () => {
  const exact = { n: 1, text: '"höre" 🔔' };
  const whole = message(
    [thinking, said('I look 🔔.'), toolUse('toolu_1', 'look', exact), toolUse('toolu_2', 'go', {})],
    {
      stop_reason: 'tool_use',
    },
  );

  it('logs a complete stream like the same response without a stream', async () => {
    await using stage = await converseWithAnthropic({ events: eventsOf(whole) });

    const stream = await stage.client.messages.create({ ...params, messages: go, stream: true });
    const seen: object[] = [];
    for await (const event of stream) seen.push(event);

    expect(seen).toEqual(eventsOf(whole).filter((event) => !('type' in event && event.type === 'ping')));
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      ['assistant', 'I look 🔔.', { think: 'let me see' }, { look: exact, outputs: [] }, { go: {}, outputs: [] }],
    ]);
    expect(logged[1]?.raw).toEqual({ request: { ...params, stream: true }, response: whole });
  });

  it.each(['left early', 'aborted', 'cut off', 'ended by an error'])(
    'logs a stream that is %s as far as it was received',
    async (how) => {
      using watch = watchRejections();
      const events = eventsOf(whole).slice(0, 14);
      const failure = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } };
      const isError = how === 'ended by an error';
      await using stage = await converseWithAnthropic({
        events: isError ? [...events, failure] : events,
        ending: how === 'cut off' ? 'cut' : 'open',
      });

      const stream = await stage.client.messages.create({ ...params, messages: go, stream: true });
      const reading = (async () => {
        let count = 0;
        for await (const _ of stream) {
          if (++count < 13) continue;
          if (how === 'left early') break;
          if (how === 'aborted') stream.controller.abort();
        }
      })();

      if (how === 'cut off') await expect(reading).rejects.toThrow('terminated');
      else if (isError) await expect(reading).rejects.toThrow('busy');
      else await reading;
      await stage.gone;
      const logged = await stage.messages();
      expect(outline(logged)[1]).toEqual([
        'assistant',
        'I look 🔔.',
        { think: 'let me see' },
        { look: {}, outputs: [] },
      ]);
      expect(logged[1]?.extra).toMatchObject({ aborted: true });
      expect(watch.rejections).toEqual([]);
    },
  );
});
