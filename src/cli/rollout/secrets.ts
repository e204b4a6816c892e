import { isInstance } from '../../core/index.ts';
import type { RolloutFlags } from './flags.ts';

const SECRET_HEADER = /auth|key|token|secret|cookie/i;

/** All that a command was given and nobody may read, by what it is. */
export function secretsOf(flags: RolloutFlags, model: readonly string[]): Record<string, string> {
  const { secret = {}, apiKey, header = {} } = flags;
  const headers = Object.entries(header)
    .filter(([name]) => SECRET_HEADER.test(name))
    .flatMap(([name, value]) => [[name, value] as const, [`${name}_value`, value.replace(/^\S+\s+/, '')] as const]);
  const named: readonly (readonly [string, string | undefined])[] = [
    ...Object.entries(secret),
    ...headers,
    ['ORS_API_KEY', apiKey],
    ['traces_password', passwordIn(flags.traces)],
    ['ORS_TRACES_API_KEY', process.env.ORS_TRACES_API_KEY],
    ...model.map((value, at) => [at === 0 ? 'model_key' : `model_key_${at + 1}`, value] as const),
  ];
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

const passwordIn = (place: string | false | undefined): string | undefined =>
  typeof place === 'string' && URL.canParse(place) ? decodeURIComponent(new URL(place).password) : undefined;

/** The same error, whose message has no secret. */
export function hideIn(error: unknown, hide: (text: string) => string): unknown {
  if (isInstance(error, Error)) error.message = hide(error.message);
  return typeof error === 'string' ? hide(error) : error;
}
