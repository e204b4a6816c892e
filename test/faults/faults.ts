import type { Fault } from './fault.ts';
import { faultsOfClient } from './of-client.ts';
import { faultsOfHttp } from './of-http.ts';
import { faultsOfServer } from './of-server.ts';
import { faultsOfStores } from './of-stores.ts';
import { faultsOfTraces } from './of-traces.ts';

/** The one-line faults that the tests have to notice. */
export const faults: readonly Fault[] = [
  ...faultsOfClient,
  ...faultsOfHttp,
  ...faultsOfServer,
  ...faultsOfStores,
  ...faultsOfTraces,
];
