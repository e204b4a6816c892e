import { fieldsOf } from '../core/index.ts';
import type { ConformanceOptions } from './options.ts';
import { ProbeConnection, ProbeRequests } from './probe/index.ts';
import type { ExpectedFailures } from './report/verdict.ts';

/**
 * SDKs of other authors whose differences from the standard are known.
 *
 * @example
 * const isKnown = SDKS.some((name) => name === 'ors-sdk'); // true
 */
export const SDKS = ['openreward', 'ors-sdk'] as const;

/**
 * The SDK that an environment is written with.
 *
 * @example
 * const sdk: EnvironmentSdk | undefined = await detectSdk(new URL('http://localhost:8080'));
 * console.log(sdk?.name ?? 'no known SDK');
 */
export interface EnvironmentSdk {
  readonly name: (typeof SDKS)[number];
  /** Undefined if the server does not send it. */
  readonly version: string | undefined;
}

/**
 * Detects the known SDK that a server uses; undefined if it uses none of them.
 *
 * @example
 * const sdk = await detectSdk(new URL('http://localhost:8080')); // { name: 'openreward', version: '0.1.167' }
 */
export async function detectSdk(
  url: URL,
  { headers = [], tls = {}, timeoutMs = 30_000 }: Pick<ConformanceOptions, 'headers' | 'tls' | 'timeoutMs'> = {},
): Promise<EnvironmentSdk | undefined> {
  using connection = new ProbeConnection({ url, headers, timeoutMs, tls });
  const response = await new ProbeRequests(connection).send('GET', '/version');
  const { version, build_sha: build, name } = fieldsOf(response.json);
  if (response.isSuccess && typeof version === 'string' && build !== undefined && name === undefined) {
    return { name: 'openreward', version };
  }
  // ors-sdk redirects every path that it does not know to its first environment.
  const isRedirected = response.status === 308 && response.header('location')?.endsWith('/version') === true;
  return isRedirected && response.header('server') === 'uvicorn' ? { name: 'ors-sdk', version: undefined } : undefined;
}

/**
 * Formats an SDK.
 *
 * @example
 * formatSdk({ name: 'openreward', version: '0.1.167' }); // 'openreward 0.1.167'
 */
export const formatSdk = ({ name, version }: EnvironmentSdk): string =>
  version === undefined ? name : `${name} ${version}`;

/**
 * Returns the known failures of an SDK as expected failures. All of them may also pass: whether an environment shows them
 * depends on its tools and tasks, and later versions may have repaired some.
 *
 * @param known failures of the SDK, as `parseExpectedFailures` reads them.
 * @example
 * const expected = failuresOfSdk(sdk, parseExpectedFailures(await readFile('ors-sdk.txt', 'utf8')));
 */
export function failuresOfSdk(sdk: EnvironmentSdk, known: ExpectedFailures): ExpectedFailures {
  const entries = [...known].map(
    ([check, { reason }]) => [check, { reason, isFlaky: true, sdk: formatSdk(sdk) }] as const,
  );
  return new Map(entries);
}
