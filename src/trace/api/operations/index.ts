import type { operations } from '../../../../generated/trace-api.ts';
import type { Handlers } from '../../../http/index.ts';
import type { ApiContext } from '../context.ts';
import { blocks } from './blocks.ts';
import { rollouts } from './rollouts.ts';
import { runs } from './runs.ts';
import { service } from './service.ts';
import { traces } from './traces.ts';
import { transfer } from './transfer.ts';

/** One handler for every operation of the trace API. */
export const handlers: Handlers<operations, ApiContext> = {
  ...traces,
  ...blocks,
  ...runs,
  ...transfer,
  ...rollouts,
  ...service,
};
