import type { Route } from './operation.ts';
import type { RequestHandler } from './request-handler.ts';

interface CorsOptions {
  /** Origins whose pages may use this server; `*` stands for all. */
  readonly origins: readonly string[];
  /** Answer headers that pages may read. */
  readonly exposedHeaders: readonly string[];
  readonly operations: Readonly<Record<string, Route>>;
}

/** Lets pages of other origins use this server by the methods that it has, preflight requests included. */
export function cors(handler: RequestHandler, { origins, exposedHeaders, operations }: CorsOptions): RequestHandler {
  const exposed = exposedHeaders.join(', ');
  const methods = [...new Set(Object.values(operations).map(({ method }) => method.toUpperCase()))].sort().join(', ');
  return (request, response, next) => {
    const { origin } = request.headers;
    response.appendHeader('Vary', 'Origin');
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) {
      return handler(request, response, next);
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    const { 'access-control-request-method': method, 'access-control-request-headers': asked = '' } = request.headers;
    if (request.method !== 'OPTIONS' || !method) return handler(request, response, next);
    response.writeHead(204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': asked,
      'Access-Control-Max-Age': '600',
    });
    response.end();
  };
}
