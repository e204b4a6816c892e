import type { ConformanceCheck } from '../../check.ts';
import { createChecks } from './create.ts';
import { deleteChecks } from './delete.ts';
import { expiryChecks } from './expiry.ts';
import { flowChecks } from './flow.ts';
import { goneChecks } from './gone.ts';
import { headerChecks } from './header.ts';
import { idChecks } from './ids.ts';
import { pingChecks } from './ping.ts';
import { promptChecks } from './prompt.ts';
import { refusedCreateChecks } from './refused-create.ts';
import { secretsChecks } from './secrets.ts';
import { setupChecks } from './setup.ts';
import { stateChecks } from './state.ts';
import { stopChecks } from './stop.ts';
import { taskToolsChecks } from './task-tools.ts';

export const sessionsChecks: readonly ConformanceCheck[] = [
  ...idChecks,
  ...headerChecks,
  ...createChecks,
  ...refusedCreateChecks,
  ...secretsChecks,
  ...setupChecks,
  ...pingChecks,
  ...stateChecks,
  ...promptChecks,
  ...taskToolsChecks,
  ...deleteChecks,
  ...goneChecks,
  ...expiryChecks,
  ...flowChecks,
  ...stopChecks,
];
