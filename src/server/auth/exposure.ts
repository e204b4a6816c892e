import { type Exposure, refuseExposure } from '../../http/index.ts';

/** @throws TypeError for an address that others reach, where nobody needs a key. */
export const assertServerNotExposed = (exposure: Exposure): void =>
  refuseExposure(exposure, {
    danger: 'run the tools of its environments',
    keys: '--api-keys <file> or ORS_API_KEYS; authenticate',
  });
