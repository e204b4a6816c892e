import type { MessageParam } from '@anthropic-ai/sdk/resources';
import { describe, expect, it } from '@jest/globals';
import type { ChatCompletionMessageParam } from 'openai/resources';
import type { ResponseInput } from 'openai/resources/responses/responses';
import type { Message } from 'ors-kit';
import { formatMessages } from 'ors-kit/client/formats';

const PIXEL = 'iVBORw0KGgo=';
const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const call = { type: 'tool_call' as const, id: 'c1', name: 'order.lookup', input: { id: '7' } };
const result = { type: 'tool_result' as const, tool_call_id: 'c1', blocks: [text('stalled')], is_error: true };
const reasoning = (signature: string | null) => ({ type: 'reasoning' as const, text: 'check the carrier', signature });

/** System, user, assistant with reasoning and a call, its result after other text, assistant. */
const conversation = (signature: string | null = null): Message[] => [
  { role: 'system', blocks: [text('Be brief.')] },
  { role: 'user', blocks: [text('Where is order 7?'), image] },
  { role: 'assistant', blocks: [reasoning(signature), call] },
  { role: 'user', blocks: [text('hurry'), result] },
  { role: 'assistant', blocks: [text('It is stalled.')] },
];

describe('formatMessages', () => {
  it.each(['openai', 'openrouter'] as const)('converts a conversation to chat completions (%s)', (format) => {
    expect(formatMessages(conversation(), format)).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Where is order 7?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'check the carrier',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'order_lookup', arguments: expect.any(String) } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'stalled' },
      { role: 'user', content: 'hurry' },
      { role: 'assistant', content: 'It is stalled.' },
    ]);
  });

  const calls = (...ids: readonly string[]): Message[] => [
    { role: 'assistant', blocks: ids.map((id, at) => ({ ...call, id, name: `tool_${at}`, input: {} })) },
    {
      role: 'user',
      blocks: ids.map((id, at) => ({ ...result, tool_call_id: id, blocks: [text(String(at))], is_error: false })),
    },
  ];
  const idsOf = (messages: readonly object[]) => {
    const found = JSON.stringify(messages).matchAll(/"(?:id|tool_call_id|tool_use_id|call_id)":"([^"]*)"/g);
    return [...found].map(([, id]) => id);
  };

  it.each([
    ['openai', ['same', 'same_2', 'same', 'same_2', 'same_3', 'same_3', 'call', 'call', 'a.b', 'a.b']],
    ['openai-responses', ['same', 'same_2', 'same', 'same_2', 'same_3', 'same_3', 'call', 'call', 'a.b', 'a.b']],
    ['openrouter', ['same', 'same_2', 'same', 'same_2', 'same_3', 'same_3', 'call', 'call', 'a_b', 'a_b']],
  ] as const)('gives every call its own id, and its results the same one (%s)', (format, expected) => {
    const messages = [...calls('same', 'same'), ...calls('same'), ...calls(''), ...calls('a.b')];

    expect(idsOf(formatMessages(messages, format))).toEqual(expected);
  });

  it('gives calls ids that Anthropic accepts', () => {
    const messages = [...calls('same', 'same'), ...calls('call_1|fc.2'), ...calls('x'.repeat(90), 'x'.repeat(91))];

    const ids = idsOf(formatMessages(messages, 'anthropic').messages);

    expect(ids.slice(0, 6)).toEqual(['same', 'same_2', 'same', 'same_2', 'call_1_fc_2', 'call_1_fc_2']);
    expect(new Set(ids.slice(6)).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it('assigns results the names of their calls if ids are repeated', () => {
    const { contents } = formatMessages([...calls('same', 'same'), ...calls('same')], 'google');

    const responses = contents.flatMap(({ parts }) =>
      parts.flatMap((part) => ('functionResponse' in part ? [part.functionResponse] : [])),
    );
    expect(responses.map(({ name, response }) => [name, response])).toEqual([
      ['tool_0', { output: '0' }],
      ['tool_1', { output: '1' }],
      ['tool_0', { output: '0' }],
    ]);
  });

  it('keeps valid ids, and those of results without a call', () => {
    const messages: Message[] = [
      ...calls('a b', 'a_b'),
      { role: 'user', blocks: [{ ...result, tool_call_id: 'lost' }] },
    ];

    expect(idsOf(formatMessages(messages, 'anthropic').messages)).toEqual(['a_b_2', 'a_b', 'a_b_2', 'a_b', 'lost']);
  });

  it('converts a conversation to items of the Responses API', () => {
    expect(formatMessages(conversation(), 'openai-responses')).toEqual([
      { role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Where is order 7?' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
        ],
      },
      { role: 'assistant', content: '<think>check the carrier</think>' },
      { type: 'function_call', call_id: 'c1', name: 'order_lookup', arguments: expect.any(String) },
      { type: 'function_call_output', call_id: 'c1', output: 'stalled' },
      { role: 'user', content: [{ type: 'input_text', text: 'hurry' }] },
      { role: 'assistant', content: 'It is stalled.' },
    ]);
  });

  it.each([
    ['signed', { type: 'thinking', thinking: 'check the carrier', signature: 'signed' }],
    [null, { type: 'text', text: '<think>check the carrier</think>' }],
  ])('converts a conversation to the Messages API, with results first in their turn (signature %j)', (given, sent) => {
    expect(formatMessages(conversation(given), 'anthropic')).toEqual({
      system: 'Be brief.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Where is order 7?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          ],
        },
        {
          role: 'assistant',
          content: [sent, { type: 'tool_use', id: 'c1', name: 'order_lookup', input: { id: '7' } }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              content: [{ type: 'text', text: 'stalled' }],
              is_error: true,
            },
            { type: 'text', text: 'hurry' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'It is stalled.' }] },
      ],
    });
  });

  it('converts a conversation to content of Gemini, with results by the names of their calls', () => {
    expect(formatMessages(conversation('signed'), 'google')).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Where is order 7?' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }],
        },
        {
          role: 'model',
          parts: [
            { text: 'check the carrier', thought: true, thoughtSignature: 'signed' },
            { functionCall: { id: 'c1', name: 'order.lookup', args: { id: '7' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'order.lookup', response: { error: 'stalled' } } },
            { text: 'hurry' },
          ],
        },
        { role: 'model', parts: [{ text: 'It is stalled.' }] },
      ],
    });
  });

  it('converts a conversation to messages of MCP, one per block', () => {
    const shown = formatMessages(conversation(), 'mcp').map(({ role, content }) => [
      role,
      content.type === 'text' ? content.text : content.type,
    ]);

    expect(shown).toEqual([
      ['user', '[system]'],
      ['user', 'Be brief.'],
      ['user', 'Where is order 7?'],
      ['user', 'image'],
      ['assistant', '<think>check the carrier</think>'],
      ['assistant', expect.stringContaining('[tool_call order.lookup] {"id":')],
      ['user', 'hurry'],
      ['user', '[tool_result (error)]'],
      ['user', 'stalled'],
      ['assistant', 'It is stalled.'],
    ]);
  });

  it('keeps system messages in place, or joins those at the beginning', () => {
    const system = (value: string): Message => ({ role: 'system', blocks: [text(value)] });
    const user: Message = { role: 'user', blocks: [text('Go.')] };

    expect(formatMessages([user, system('Late.')], 'openai')).toEqual([
      { role: 'user', content: 'Go.' },
      { role: 'system', content: 'Late.' },
    ]);
    expect(formatMessages([system('One.'), system('Two.'), user], 'anthropic').system).toBe('One.\n\nTwo.');
    expect(formatMessages([user], 'anthropic')).not.toHaveProperty('system');
    expect(formatMessages([user], 'google')).not.toHaveProperty('systemInstruction');
  });

  it('moves images of results into the turn where a result must be text', () => {
    const withImage: Message[] = [
      { role: 'assistant', blocks: [call] },
      { role: 'user', blocks: [{ ...result, blocks: [text('see'), image] }] },
    ];

    expect(formatMessages(withImage, 'openai').slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'see\n[image 1]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'image 1, from the tool order_lookup:' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ]);
    expect(formatMessages(withImage, 'anthropic').messages[1]?.content[0]).toMatchObject({
      content: [{ type: 'text', text: 'see' }, { type: 'image' }],
    });
  });

  it('leaves out or fills turns without content, as providers require', () => {
    const empty: Message[] = [{ role: 'user', blocks: [] }];

    expect(formatMessages(empty, 'openai')).toEqual([]);
    expect(formatMessages(empty, 'anthropic').messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '(no text)' }] },
    ]);
    expect(formatMessages(empty, 'google').contents).toEqual([{ role: 'user', parts: [{ text: '(no text)' }] }]);
  });

  it('returns what the packages of OpenAI and Anthropic accept without a cast', () => {
    const chat: ChatCompletionMessageParam[] = formatMessages(conversation(), 'openai');
    const input: ResponseInput = formatMessages(conversation(), 'openai-responses');
    const turns: MessageParam[] = formatMessages(conversation(), 'anthropic').messages;

    expect([chat.length, input.length, turns.length]).toEqual([6, 7, 4]);
  });

  const late: Message[] = [
    { role: 'user', blocks: [text('Go.')] },
    { role: 'system', blocks: [text('Late.')] },
  ];
  it.each([
    ['a system message that comes later', late, 'anthropic', /system message/],
    ['a system message that comes later', late, 'google', /system message/],
    ['an image in a system message', [{ role: 'system', blocks: [image] }], 'anthropic', /image in a system/],
    ['an image in a system message', [{ role: 'system', blocks: [image] }], 'google', /image in a system/],
    ['an image in a system message', [{ role: 'system', blocks: [image] }], 'openai', /image .* system/],
    ['an image of the assistant', [{ role: 'assistant', blocks: [image] }], 'openrouter', /image .* assistant/],
    ['the result of an unknown call', [{ role: 'user', blocks: [result] }], 'google', /'c1'/],
    ['an image of the assistant', [{ role: 'assistant', blocks: [image] }], 'openai-responses', /image/],
    ['reasoning of the user', [{ role: 'user', blocks: [reasoning(null)] }], 'openai', /role user .* reasoning/],
    ['a result in a system message', [{ role: 'system', blocks: [result] }], 'mcp', /role system .* tool_result/],
    ['an unknown role', [{ role: 'tool', blocks: [] }], 'openai', /"tool"/],
  ] as const)('rejects %s (%#)', (_what, messages, format, reason) => {
    expect(() => formatMessages(messages as unknown as Message[], format)).toThrow(reason);
  });
});
