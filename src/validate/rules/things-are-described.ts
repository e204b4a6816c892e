import { joinWords } from '../../core/index.ts';
import type { ValidationRule } from '../finding.ts';
import { toolParameters } from '../schemas.ts';

const MAX_SHOWN = 8;

/** Inspect refuses a tool with a parameter that is not described. */
export const thingsAreDescribed: ValidationRule = {
  name: 'things-are-described',
  levels: ['warning'],
  sentence: 'Tools and their parameters have descriptions, as Inspect needs',
  *check({ tools }) {
    for (const [name, tool] of tools) {
      if (tool.description.trim() === '') {
        yield { message: `the tool '${name}' has no description; say in a sentence what it does, models choose by it` };
      }
      const bare = toolParameters(tool).filter(({ isDescribed }) => !isDescribed);
      if (bare.length === 0) continue;
      const names = joinWords(
        bare.map((parameter) => `'${parameter.name}'`),
        { max: MAX_SHOWN },
      );
      const message = `the tool '${name}' does not describe ${names}; Inspect refuses that: add .describe(...) or "description"`;
      yield { message };
    }
  },
};
