import type { operations } from '../../../generated/ors.ts';
import { type Handlers, PlainText } from '../../http/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { outOfDescriptorsError, recordingUnavailableError, shuttingDownError } from '../limits/unavailable.ts';
import { PACKAGE } from '../package.ts';
import { discoveryHandlers } from './discovery.ts';
import { interactionHandlers } from './interaction.ts';
import { sessionHandlers } from './sessions.ts';

type Service = Pick<operations, 'health' | 'ready' | 'version' | 'metrics' | 'openapi'>;

/** Handlers for probes, monitoring and the OpenAPI document. */
const serviceHandlers: Handlers<Service, ServerContext> = {
  health: () => ({ status: 'ok' }),

  async ready(_request, { isReady, descriptors, recorder }) {
    if (!isReady()) throw shuttingDownError();
    if (!descriptors.check()) throw outOfDescriptorsError();
    await recorder?.check?.().catch((error: unknown) => {
      throw recordingUnavailableError(error);
    });
    return { status: 'ok' };
  },

  version: () => ({ name: PACKAGE.name, version: PACKAGE.version }),

  metrics(_request, { metrics, sessions, isReady }) {
    if (!metrics) throw new OrsError('not_found', 'metrics are disabled on this server');
    return new PlainText(metrics.text({ sessions, isReady: isReady() }), metrics.contentType);
  },

  openapi: (_request, { document }) => document as never,
};

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
};
