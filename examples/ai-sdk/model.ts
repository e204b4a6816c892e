import { MockLanguageModelV3 } from 'ai/test';

type ScriptedCall = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** A model for the AI SDK that makes these calls, one per turn. */
export function scriptedModel(calls: readonly ScriptedCall[]): MockLanguageModelV3 {
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const [toolName, input] = calls[turn++] ?? ['submit', {}];
      return {
        content: [{ type: 'tool-call', toolCallId: `call-${turn}`, toolName, input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}
