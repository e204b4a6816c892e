import type { ValidationRule } from '../finding.ts';
import { toolParameters } from '../schemas.ts';

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield self'
  ).split(' '),
);

/** TRL makes a method of each tool. */
export const namesForPython: ValidationRule = {
  name: 'names-for-python',
  levels: ['warning'],
  sentence: 'The names of tools and parameters are valid Python identifiers, as TRL needs',
  *check({ tools }) {
    for (const [name, tool] of tools) {
      const problem = problemOf(name);
      if (problem)
        yield { message: `the tool name '${name}' ${problem}; TRL makes a Python method of each tool: rename it` };
      for (const { name: parameter } of toolParameters(tool)) {
        const wrong = problemOf(parameter);
        if (!wrong) continue;
        const message = `the parameter '${parameter}' of '${name}' ${wrong}; TRL makes a Python argument of it: rename it`;
        yield { message };
      }
    }
  },
};

function problemOf(name: string): string | undefined {
  if (!IDENTIFIER.test(name)) return 'is no Python identifier';
  return KEYWORDS.has(name) ? 'is a word of Python itself' : undefined;
}
