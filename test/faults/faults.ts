import type { Fault } from './fault.ts';
import { faultsOfCli } from './of-cli.ts';
import { faultsOfClient } from './of-client.ts';
import { faultsOfDatabases } from './of-databases.ts';
import { faultsOfEnvironments } from './of-environments.ts';
import { faultsOfHttp } from './of-http.ts';
import { faultsOfPrograms } from './of-programs.ts';
import { faultsOfServer } from './of-server.ts';
import { faultsOfStores } from './of-stores.ts';
import { faultsOfTools } from './of-tools.ts';
import { faultsOfTraces } from './of-traces.ts';

/** The one-line faults that the tests have to notice. */
export const faults: readonly Fault[] = [
  ...faultsOfCli,
  ...faultsOfClient,
  ...faultsOfDatabases,
  ...faultsOfEnvironments,
  ...faultsOfHttp,
  ...faultsOfPrograms,
  ...faultsOfServer,
  ...faultsOfStores,
  ...faultsOfTools,
  ...faultsOfTraces,
];
