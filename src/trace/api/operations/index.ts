import type { operations } from '../../../../generated/trace-api.ts';
import type { Handlers } from '../../../http/index.ts';
import type { ApiContext } from '../context.ts';
import { blockHandlers } from './blocks.ts';
import { rolloutHandlers } from './rollouts.ts';
import { runHandlers } from './runs.ts';
import { traceServiceHandlers } from './service.ts';
import { traceHandlers } from './traces.ts';
import { transferHandlers } from './transfer.ts';

/** One handler for every operation of the trace API. */
export const traceOperationHandlers: Handlers<operations, ApiContext> = {
  ...traceHandlers,
  ...blockHandlers,
  ...runHandlers,
  ...transferHandlers,
  ...rolloutHandlers,
  ...traceServiceHandlers,
};
