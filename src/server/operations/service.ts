import type { operations } from '../../../generated/ors.ts';
import type { Handlers } from '../../http/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { ServerContext } from '../context.ts';
import { PACKAGE } from '../package.ts';

type Service = Pick<operations, 'health' | 'ready' | 'version' | 'openapi'>;

export const service: Handlers<Service, ServerContext> = {
  health: () => ({ status: 'ok' }),

  ready(_request, { isReady }) {
    if (isReady()) return { status: 'ok' };
    throw new OrsError('unavailable', 'this server is shutting down and takes no new episodes');
  },

  version: () => ({ name: PACKAGE.name, version: PACKAGE.version }),

  openapi: (_request, { document }) => document as never,
};
