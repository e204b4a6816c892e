import { plural, schemasIn } from '../../core/index.ts';
import type { ValidationRule } from '../finding.ts';

/** What strict function calling of at least one large provider does not know. */
const REFUSED = [
  ...['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['patternProperties', 'propertyNames', 'unevaluatedProperties', 'minProperties', 'maxProperties'],
  ...['prefixItems', 'unevaluatedItems', 'contains', 'minContains', 'maxContains', 'uniqueItems', '$dynamicRef'],
];
const MAX_SHOWN = 4;

export const schemasAreStrict: ValidationRule = {
  name: 'schemas-are-strict',
  levels: ['warning'],
  sentence: "The schemas of tools have no keyword that providers' strict modes reject",
  *check({ tools }) {
    for (const [name, { input_schema: root }] of tools) {
      const uses = Array.from(schemasIn(root)).flatMap(({ pointer, schema }) => [
        ...REFUSED.filter((keyword) => keyword in schema).map((keyword) => `${pointer}/${keyword}`),
        ...(pointer === '' && 'anyOf' in schema ? ['/anyOf'] : []),
      ]);
      if (uses.length === 0) continue;
      const more = uses.length > MAX_SHOWN ? `, and ${plural(uses.length - MAX_SHOWN, 'more place')}` : '';
      const where = uses.slice(0, MAX_SHOWN).join(', ') + more;
      const message = `the schema of '${name}' cannot be used in strict mode, by ${where}; say it in the description, and check it in the tool`;
      yield { message };
    }
  },
};
