import type { operations } from '../../../generated/ors.ts';
import type { Handlers } from '../../http/index.ts';
import type { ServerContext } from '../context.ts';
import { discoveryHandlers } from './discovery.ts';
import { interactionHandlers } from './interaction.ts';
import { serviceHandlers } from './service.ts';
import { sessionHandlers } from './sessions.ts';

/** One handler for every operation of the standard. */
export const operationHandlers: Handlers<operations, ServerContext> = {
  ...serviceHandlers,
  ...discoveryHandlers,
  ...sessionHandlers,
  ...interactionHandlers,
};
