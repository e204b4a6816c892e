import { type Model, Usage } from '@openai/agents-core';

type ScriptedCall = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** A model for the OpenAI Agents SDK that makes these calls, one per turn. */
export function scriptedModel(calls: readonly ScriptedCall[]): Model {
  let turn = 0;
  return {
    async getResponse() {
      const [name, input] = calls[turn++] ?? ['submit', {}];
      return {
        usage: new Usage(),
        output: [
          {
            type: 'function_call',
            callId: `call-${turn}`,
            name,
            status: 'completed',
            arguments: JSON.stringify(input),
          },
        ],
      };
    },
    getStreamedResponse() {
      throw new Error('this model does not stream');
    },
  };
}
