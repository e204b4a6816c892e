import type { ValidationRule } from '../finding.ts';

/** OpenAI's and Anthropic's pattern. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const toolNamesForModels: ValidationRule = {
  name: 'tool-names-for-models',
  levels: ['warning'],
  sentence: 'Model providers accept the names of the tools: up to 64 letters, digits, `_` and `-`',
  *check({ tools }) {
    for (const name of tools.keys()) {
      if (NAME.test(name)) continue;
      yield { message: `providers refuse the tool name '${name}'; use up to 64 letters, digits, '_' and '-'` };
    }
  },
};
