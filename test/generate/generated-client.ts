import { json, peer } from './peer.ts';

/** Operations as in the generated table. */
export type Operations = Readonly<Record<string, { readonly method: string; readonly path: string }>>;

/** Client whose methods are not known to the compiler. */
export type AnyClient = Readonly<Record<string, (init: object) => Promise<{ readonly response: Response }>>>;

/**
 * Calls every operation of a generated client on a server that accepts everything.
 *
 * @returns operations whose request did not arrive with the method and path of the document.
 */
export async function misdirectedCalls(
  operations: Operations,
  create: (options: object) => AnyClient,
): Promise<string[]> {
  let arrived = '';
  await using server = await peer((request, response) => {
    arrived = `${request.method} ${request.url?.replace(/\?.*/, '')}`;
    json(200, {})(request, response);
  });
  const client = create({ baseUrl: server.url });
  const wrong: string[] = [];
  for (const [name, { method, path }] of Object.entries(operations)) {
    // fetch refuses this method.
    if (method === 'trace') continue;
    arrived = '';
    const names = Array.from(path.matchAll(/\{([^{}]*)\}/g), (match) => match[1] ?? '');
    const values = Object.fromEntries(names.map((each) => [each, 'value']));
    const hasBody = !['get', 'head'].includes(method);
    const error = await client[name]?.({ params: { path: values }, ...(hasBody && { body: {} }) }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const { pathname } = new URL(server.url + path.replaceAll(/\{[^{}]*\}/g, 'value'));
    // The server sends no events.
    const isRight = error === undefined || String(error).includes('expected text/event-stream, got application/json');
    if (!isRight || arrived !== `${method.toUpperCase()} ${pathname}`) wrong.push(`${name}: ${error ?? arrived}`);
  }
  return wrong;
}
