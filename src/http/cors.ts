import type { RequestHandler } from 'express';

export interface CorsOptions {
  /** Origins whose pages may use this server; `*` stands for all. */
  readonly origins: readonly string[];
  /** Answer headers that pages may read. */
  readonly exposedHeaders: readonly string[];
}

/** Lets pages of other origins use this server by these methods, preflight requests included. */
export function cors({ origins, exposedHeaders }: CorsOptions, methods: readonly string[]): RequestHandler {
  const exposed = exposedHeaders.join(', ');
  return (request, response, next) => {
    const { origin } = request.headers;
    response.vary('Origin');
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) return next();
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed });
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return next();
    response.status(204).set({
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': request.get('Access-Control-Request-Headers') ?? '',
      'Access-Control-Max-Age': '600',
    });
    response.end();
  };
}
