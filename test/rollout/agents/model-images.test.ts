import { describe, expect, it } from '@jest/globals';
import { defineEnvironment, image } from 'ors-kit';
import { playEpisode, stageModel } from './stage.ts';

/** Images of one pixel. */
const RED = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const BLUE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const pictures = defineEnvironment({
  name: 'pictures',
  splits: { train: [{}] },
  prompt: () => [{ type: 'text', text: 'What is red?' }, image(RED, 'image/png'), { type: 'text', text: ' ' }],
  tools: {
    look: {
      description: 'Look.',
      concurrent: true,
      run: () => ({ blocks: [{ type: 'text', text: 'You see' }, image(BLUE, 'image/png')] }),
    },
    blink: { description: 'Blink.', run: () => ({ text: '' }) },
  },
});

const looks = {
  calls: [
    { name: 'look', id: 'one' },
    { name: 'blink', id: 'two' },
    { name: 'look', id: 'three' },
  ],
};
const url = (data: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } });

describe('images for a model', () => {
  it('are in the prompt, and follow the results if the provider does not accept images there', async () => {
    await using stage = await stageModel([looks]);

    await playEpisode(pictures, stage.agent);

    expect(stage.requests[1]?.body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'What is red?' }, url(RED)] },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'one', content: 'You see\n[image 1]' },
      { role: 'tool', tool_call_id: 'two', content: '(no text)' },
      { role: 'tool', tool_call_id: 'three', content: 'You see\n[image 2]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'image 1, from the tool look:' },
          url(BLUE),
          { type: 'text', text: 'image 2, from the tool look:' },
          url(BLUE),
        ],
      },
    ]);
    expect(stage.requests[1]?.text.split(BLUE)).toHaveLength(3);
  });

  it.each(['compatible', 'anthropic'] as const)('of SVG are named, since %s refuses them', async (via) => {
    const drawing = image(Buffer.from('<svg/>').toString('base64'), 'image/svg+xml');
    const run = () => ({ blocks: [drawing] });
    const drawings = defineEnvironment({
      ...{ name: 'drawings', splits: { train: [{}] } },
      prompt: () => [drawing],
      tools: { look: { description: 'Look.', run } },
    });
    await using stage = await stageModel([{ calls: [{ name: 'look', id: 'one' }] }], { via });

    await playEpisode(drawings, stage.agent);

    const [first, second] = stage.requests;
    expect(first?.text).toContain('[image of type image/svg+xml]');
    expect(second?.text.split('[image of type image/svg+xml]')).toHaveLength(3);
    expect(second?.text).not.toContain('PHN2Zy8+');
  });

  it('are in the results for Claude', async () => {
    await using stage = await stageModel([looks], { via: 'anthropic' });

    await playEpisode(pictures, stage.agent);

    const source = { type: 'base64', media_type: 'image/png' };
    const seen = [
      { type: 'text', text: 'You see' },
      { type: 'image', source: { ...source, data: BLUE } },
    ];
    const [asked, , answered] = stage.requests[1]?.body.messages ?? [];
    expect(asked.content).toMatchObject([
      { text: 'What is red?' },
      { type: 'image', source: { ...source, data: RED } },
    ]);
    expect(answered.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'one', content: seen },
      { type: 'tool_result', tool_use_id: 'two', content: '(no text)' },
      { type: 'tool_result', tool_use_id: 'three', content: seen },
    ]);
  });

  it('are in the results for GPT', async () => {
    await using stage = await stageModel([looks], { via: 'responses' });

    await playEpisode(pictures, stage.agent);

    const outputs = stage.requests[1]?.body.input.filter(
      ({ type }: { type: string }) => type === 'function_call_output',
    );
    expect(outputs).toMatchObject([
      {
        call_id: 'one',
        output: [
          { type: 'input_text', text: 'You see' },
          { type: 'input_image', image_url: `data:image/png;base64,${BLUE}` },
        ],
      },
      { call_id: 'two', output: '(no text)' },
      { call_id: 'three' },
    ]);
  });
});
