/** Responses of OpenAI's API. */

export const completion = (message: object, finish_reason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-x',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, ...message },
      finish_reason,
      logprobs: null,
    },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
});

export const toolCall = (id: string, name: string, given: string) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

export const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-x',
  choices: [{ index: 0, delta, finish_reason, logprobs: null, ...more }],
});

export const response = (output: readonly object[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-x',
  status: 'completed',
  output,
  usage: { total_tokens: 3 },
  error: null,
  incomplete_details: null,
  ...more,
});

export const said = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

export const functionCall = (name: string, given: string) => ({
  ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: given, status: 'completed' },
});
