import { rowsOf, sourceOf } from './sources.ts';

export const PNG = { media_type: 'image/png', data: new Uint8Array([137, 80, 78, 71]) };
export const PNG_URL = 'data:image/png;base64,iVBORw==';

export const TOOLS = [
  {
    name: 'get_weather',
    description: 'The forecast of a city.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { name: 'wait', description: 'Does nothing.', input_schema: null },
];

const under = (parent_block_id: string) => ({ parent_block_id });

/** Two turns under the user's message, with two parallel calls in the first one; then a message of the model. */
export const blocks = [
  { id: 'tb_s', sub_type: 'MESSAGE', payload: { role: 'system', content: 'Be brief.' } },
  {
    id: 'tb_u',
    sub_type: 'MESSAGE',
    payload: {
      role: 'user',
      content: [
        { type: 'text', text: "what's the weather?" },
        { type: 'image_ref', sha256: 'ab', mimeType: 'image/png', bytes: 4 },
      ],
    },
  },
  { id: 'tb_t', sub_type: 'THINK', ...under('tb_u'), payload: { text: 'two cities' } },
  {
    id: 'tb_c1',
    sub_type: 'TOOL_CALL',
    ...under('tb_u'),
    payload: { call_id: 'call_1', name: 'get_weather', arguments: { city: 'bogotá' } },
  },
  {
    id: 'tb_c2',
    sub_type: 'TOOL_CALL',
    ...under('tb_u'),
    payload: { name: 'get_weather', arguments: { city: 'lima' } },
  },
  {
    id: 'tb_r1',
    sub_type: 'TOOL_RESULT',
    ...under('tb_c1'),
    payload: {
      call_id: 'call_1',
      output: {
        blocks: [
          { type: 'text', text: '22°C', detail: null },
          { type: 'image', data: 'iVBORw==', mimeType: 'image/png', detail: null },
        ],
        metadata: { hidden: true },
        reward: 0,
        finished: false,
      },
    },
    extra: { reward: 0, finished: false },
  },
  { id: 'tb_r2', sub_type: 'TOOL_RESULT', ...under('tb_c2'), payload: { delta: 'clou', seq: 0 } },
  { id: 'tb_r3', sub_type: 'TOOL_RESULT', ...under('tb_c2'), payload: { delta: 'dy', seq: 1 } },
  { id: 'tb_c3', sub_type: 'TOOL_CALL', ...under('tb_u'), payload: { call_id: 'call_3', name: 'wait', arguments: {} } },
  {
    id: 'tb_r4',
    sub_type: 'TOOL_RESULT',
    ...under('tb_c3'),
    payload: { output: { ok: false, error: "Tool 'wait' failed: too late" } },
    extra: { tool_error: true, reward: 1 },
  },
  {
    id: 'tb_a',
    sub_type: 'MESSAGE',
    payload: { role: 'assistant', content: '22°C and cloudy.' },
    raw: { id: 'resp_1' },
    extra: { tokens: 5 },
  },
] as const;

/** Source of the trace with these blocks, the image of the user and the tools. */
export const weather = () => sourceOf(rowsOf(...blocks), { metadata: { tools: TOOLS } }, { ab: PNG });
