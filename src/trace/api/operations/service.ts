import type { operations } from '../../../../generated/trace-api.ts';
import { document } from '../../../../generated/trace-api-document.ts';
import { type Handlers, HttpError, NO_DESCRIPTORS, PlainText } from '../../../http/index.ts';
import { organizationOf, scopesOf } from '../caller.ts';
import type { ApiContext } from '../context.ts';

type Service = 'getAccess' | 'healthz' | 'readyz' | 'metrics' | 'openapi';

export const traceServiceHandlers: Pick<Handlers<operations, ApiContext>, Service> = {
  getAccess: ({ caller }) => ({ organization: organizationOf(caller), scopes: scopesOf(caller) }),
  healthz: () => ({ status: 'ok' }),
  async readyz(_request, { store, descriptors }) {
    if (descriptors?.check() === false) throw new HttpError(503, NO_DESCRIPTORS, { 'Retry-After': '5' });
    await store.checkWritable().catch((error: Error) => {
      throw new HttpError(503, `nothing can be written: ${error.message}`, { 'Retry-After': '5' });
    });
    return { status: 'ok' };
  },
  metrics(_request, { metrics }) {
    if (!metrics) throw new HttpError(404, 'this server was started without metrics');
    return new PlainText(metrics.text(), 'text/plain; version=0.0.4; charset=utf-8');
  },
  openapi: () => document as never,
};
