import { describe, expect, it, jest } from '@jest/globals';
import { connect, startStore } from './store-and-proxy.ts';

const secrets = { api_key: 'sk-12345678', longer: 'sk-12345678-and-more', quoted: 'a"b\\c\nd-long', short: '12345' };

describe('secrets', () => {
  it('are masked in all requests, also in keys and JSON texts', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    await using store = await startStore();
    await using traces = connect(store.url, { secrets });
    const trace = traces.createTrace({ task_spec: { key: secrets.api_key }, name: `with ${secrets.longer}` });

    const message = trace.logMessage({
      role: 'user',
      content: [{ type: 'text', text: `use ${secrets.api_key} and ${secrets.longer}.` }],
      raw: { [`header ${secrets.api_key}`]: [JSON.stringify({ key: secrets.quoted })] },
      extra: { nested: { [secrets.quoted]: secrets.short } },
    });
    trace.logAct({
      parent_block_id: message.id,
      payload: { name: 'look', arguments: JSON.stringify({ q: secrets.quoted }) },
    });
    await traces.flush();

    const record = await store.store.trace('default', trace.id);
    expect(record).toMatchObject({ task_spec: { key: '[secret]' }, name: 'with [secret]' });
    const [said, call] = await store.blocks(trace.id);
    expect(said).toMatchObject({
      payload: { content: [{ text: 'use [secret] and [secret].' }] },
      raw: { 'header [secret]': ['{"key":"[secret]"}'] },
      extra: { nested: { '[secret]': '12345' } },
    });
    expect(call?.payload).toMatchObject({ arguments: { q: '[secret]' } });
    expect(warn.mock.calls).toEqual([[expect.stringContaining("secret 'short' has fewer than 6 characters")]]);
    warn.mockRestore();
  });

  it('are masked in offloaded values', async () => {
    await using store = await startStore();
    await using traces = connect(store.url, { secrets: { token: 'correct horse' } });
    const trace = traces.createTrace();

    trace.logMessage({ role: 'user', content: 'my token is correct horse. '.repeat(10_000) });
    await traces.flush();

    const { messages } = await traces.readTrace(trace.id);
    expect(messages[0]?.payload.content).toBe('my token is [secret]. '.repeat(10_000));
  });
});
