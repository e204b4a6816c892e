import { oneLine, truncate } from '../../core/index.ts';
import { TRACE_ID } from '../../trace/model/index.ts';
import { CliError } from '../failure.ts';

/** An id of a trace, whose `tr_` may be left out. @throws Failure for what is none. */
export function parseTraceId(text: string): string {
  const id = text.startsWith('tr_') ? text : `tr_${text}`;
  if (TRACE_ID.test(id)) return id;
  throw new CliError(
    `'${truncate(oneLine(text), 80)}' is no id of a trace; they are like tr_01k2m3n4p5q6r7s8t9v0w1x2y3, and ors traces ls lists them`,
  );
}
