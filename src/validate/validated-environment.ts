import type { RemoteEnvironment } from '../client/index.ts';
import type { Environment } from '../environment/index.ts';

/** One environment, over HTTP and, if its code is available, in this process. */
export interface ValidatedEnvironment {
  readonly remote: RemoteEnvironment;
  /** The same environment in a second copy of its module. */
  readonly secondCopy?: RemoteEnvironment | undefined;
  readonly source?: Environment | undefined;
}
