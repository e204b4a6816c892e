import { joinWords } from '../../core/index.ts';
import type { Rule } from '../finding.ts';
import { parametersOf } from '../schemas.ts';

const MOST_SHOWN = 8;

/** Inspect refuses a tool with a parameter that is not described. */
export const thingsAreDescribed: Rule = {
  name: 'things-are-described',
  levels: ['warning'],
  sentence: 'Tools and their parameters have descriptions, as Inspect needs',
  *check({ tools }) {
    for (const [name, tool] of tools) {
      if (tool.description.trim() === '') {
        yield { message: `the tool '${name}' has no description; say in a sentence what it does, models choose by it` };
      }
      const bare = parametersOf(tool).filter(({ isDescribed }) => !isDescribed);
      if (bare.length === 0) continue;
      const names = joinWords(
        bare.map((parameter) => `'${parameter.name}'`),
        { max: MOST_SHOWN },
      );
      const message = `the tool '${name}' does not describe ${names}; Inspect refuses that: add .describe(...) or "description"`;
      yield { message };
    }
  },
};
