import { BoundedMap } from '../../../../core/index.ts';
import type { SqlValue } from '../driver.ts';

/** So many statements are kept: lists with filters have one for each choice of filters. */
const MAX_STATEMENTS = 500;

const numbered = new BoundedMap<string, string>(MAX_STATEMENTS);

/** A statement as pg takes it: `?` becomes `$1`, `$2`... No statement of the store has a question mark in a text. */
export function toStatement(sql: string, values: readonly SqlValue[] = []) {
  let text = numbered.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll('?', () => `$${++count}`);
    numbered.set(sql, text);
  }
  return { text, values };
}
