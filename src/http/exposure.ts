import { isLoopbackHost } from '../core/index.ts';

export interface Exposure {
  readonly host: string;
  /** Whether callers are authenticated. */
  readonly hasKeys: boolean;
  /** Whether it was said aloud that everybody may call. */
  readonly insecure: boolean;
}

interface Warning {
  /** What whoever reaches it could do. */
  readonly danger: string;
  /** How to give it keys. */
  readonly keys: string;
}

/** @throws TypeError for an address that others reach, where nobody needs a key. */
export function refuseExposure({ host, hasKeys, insecure }: Exposure, { danger, keys }: Warning): void {
  if (hasKeys || insecure || isLoopbackHost(host)) return;
  throw new TypeError(
    `${host} can be reached from other machines, and whoever reaches it could ${danger}: give it API keys (${keys}), ` +
      'listen on 127.0.0.1 (--host or HOST), or say that this is meant (--insecure; insecure: true)',
  );
}
