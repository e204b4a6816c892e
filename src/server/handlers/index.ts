import type { operations } from '../../../generated/ors.ts';
import { errorMessage } from '../../core/index.ts';
import { PACKAGE } from '../../core/node/index.ts';
import { type Handlers, NO_DESCRIPTORS, PlainText } from '../../http/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { retryLater, shuttingDownError } from '../limits/session-slots.ts';
import { callTool } from './call-tool.ts';
import { discoveryHandlers } from './discovery.ts';
import { forkEpisode } from './fork.ts';
import { interactionHandlers } from './interaction.ts';
import { scoreGroup } from './score-group.ts';
import { sessionHandlers } from './sessions.ts';

/** Handlers for probes, monitoring and the OpenAPI document. */
const serviceHandlers = {
  health: () => ({ status: 'ok' }),

  async ready(_request, { isReady, descriptors, recorder }) {
    if (!isReady()) throw shuttingDownError();
    if (!descriptors.check()) throw retryLater(503, NO_DESCRIPTORS);
    await recorder?.check?.().catch((error: unknown) => {
      throw retryLater(503, `episodes cannot be recorded: ${errorMessage(error)}`);
    });
    return { status: 'ok' };
  },

  version: (_request, { journal, environments }) => ({
    name: PACKAGE.name,
    version: PACKAGE.version,
    ...(journal && environments.hasDurable && { supports_fork: true }),
  }),

  metrics(_request, { metrics, sessions, isReady }) {
    if (!metrics) throw new OrsError('not_found', 'metrics are disabled on this server');
    return new PlainText(metrics.text({ sessions, isReady: isReady() }), metrics.contentType);
  },

  openapi: (_request, { document }) => document as never,
} satisfies Partial<Handlers<operations, ServerContext>>;

/**
 * One handler per operation of the standard. Pass it to the `spec` option, together with your own, to extend a server.
 *
 * @example
 * const handlers = { ...operationHandlers, version: () => ({ name: 'mine', version: '1.0.0' }) };
 */
export const operationHandlers: Handlers<operations, ServerContext> = {
  ...serviceHandlers,
  ...discoveryHandlers,
  ...sessionHandlers,
  ...interactionHandlers,
  forkEpisode,
  callTool,
  scoreGroup,
};
