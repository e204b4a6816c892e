import { headerSecrets, isInstance, urlSecrets } from '../../core/index.ts';
import type { RolloutFlags } from './flags.ts';
import { HARMLESS } from './run-place.ts';

/** Returns all values that the command was given and that nobody may read, by name. */
export function collectSecrets(flags: RolloutFlags, model: readonly string[]): Record<string, string> {
  const { secret = {}, apiKey, header = {} } = flags;
  const headers = Object.entries(header).flatMap(([name, value]) => numbered(name, headerSecrets(name, value)));
  const named: readonly (readonly [string, string | undefined])[] = [
    ...Object.entries(secret),
    ...headers,
    ['ORS_API_KEY', apiKey],
    ...numbered('traces_password', typeof flags.traces === 'string' ? urlSecrets(flags.traces, HARMLESS) : []),
    ['ORS_TRACES_API_KEY', process.env.ORS_TRACES_API_KEY],
    ...numbered('model_key', model),
  ];
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

const numbered = (name: string, values: readonly string[]): (readonly [string, string])[] =>
  values.map((value, index) => [index === 0 ? name : `${name}_${index + 1}`, value]);

/** The same error, whose message has no secret. */
export function redactError(error: unknown, hide: (text: string) => string): unknown {
  if (isInstance(error, Error)) error.message = hide(error.message);
  return typeof error === 'string' ? hide(error) : error;
}
