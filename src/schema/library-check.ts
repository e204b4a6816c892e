import { pointerSegment } from '../core/index.ts';
import type { SchemaIssue, SchemaValidation } from './schema.ts';
import type { StandardIssue, StandardResult } from './standard.ts';

/** The verdict of a schema library in our form. `T` is what the library promises to give. */
export function toSchemaValidation<T>(result: StandardResult): SchemaValidation<T> {
  if (result.issues) return { ok: false, issues: result.issues.map(issueOf) };
  return { ok: true, value: result.value as T }; // the library says of what type its values are
}

function issueOf({ path = [], message }: StandardIssue): SchemaIssue {
  const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
  return { path: keys.map(pointerSegment).join(''), message: withoutValue(withoutPlace(message, keys)) };
}

/** ArkType begins a message with the place, which our issues name apart: `range.tags[0] must be …`. */
function withoutPlace(message: string, keys: readonly PropertyKey[]): string {
  const place = keys
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return place !== '' && message.startsWith(`${place} `) ? message.slice(place.length + 1) : message;
}

/** Valibot and ArkType put the value that was given into their messages. It may be a secret, so it is taken out. */
function withoutValue(message: string): string {
  const several = message.startsWith('(') ? message.lastIndexOf(') must be...\n') : -1; // ArkType: (5) must be...\n ◦ even
  const [reason = ''] = message.slice(several < 0 ? 0 : several + 2).split(' (was ', 1); // ArkType: must be even (was 5)
  return withoutReceived(reason).replace(/\s*\n\s*◦\s*/g, ' ');
}

/** Valibot: `Invalid email: Received "x"`, `Expected >=50 but received 9`. */
function withoutReceived(message: string): string {
  const end = message.search(/(:| but) received ./i);
  if (end < 0) return message;
  const [, value = ''] = message.slice(end).split(/ received /i, 2);
  return value.startsWith('"') || !/\s/.test(value) ? message.slice(0, end) : message;
}
