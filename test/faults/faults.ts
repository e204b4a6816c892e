import type { Fault } from './fault.ts';
import { cliFaults } from './parts/cli.ts';
import { clientFaults } from './parts/client.ts';
import { databasesFaults } from './parts/databases.ts';
import { environmentsFaults } from './parts/environments.ts';
import { httpFaults } from './parts/http.ts';
import { programsFaults } from './parts/programs.ts';
import { serverFaults } from './parts/server.ts';
import { slowFaults } from './parts/slow.ts';
import { storesFaults } from './parts/stores.ts';
import { toolsFaults } from './parts/tools.ts';
import { tracesFaults } from './parts/traces.ts';

/** The one-line faults that the tests have to notice. */
export const faults: readonly Fault[] = [
  ...cliFaults,
  ...clientFaults,
  ...databasesFaults,
  ...environmentsFaults,
  ...httpFaults,
  ...programsFaults,
  ...serverFaults,
  ...slowFaults,
  ...storesFaults,
  ...toolsFaults,
  ...tracesFaults,
];
