/** What a method makes of a success. */
export type ResponseKind = 'json' | 'events' | 'text' | 'blob';

/** Types at the head of a client, each where a method of that kind needs it. */
export const CLIENT_TYPES: readonly { readonly neededBy: readonly ResponseKind[]; readonly text: string }[] = [
  {
    neededBy: ['json', 'events'],
    text: `type Json = \`\${string}/json\` | \`\${string}/\${string}+json\`;\n`,
  },
  {
    neededBy: ['text', 'blob'],
    text: `type Any = \`\${string}/\${string}\`;\n`,
  },
  {
    neededBy: ['events', 'blob'],
    text: `type Call = (...init: any) => Promise<unknown>;
type Failure<Method extends Call> =
  Awaited<ReturnType<Method>> extends infer Answer ? (Answer extends { error: infer E } ? E : never) : never;
`,
  },
  {
    neededBy: ['events'],
    text: `/** The events as they come; a response that is no success gives \`error\` instead. */
export type EventsResponse<Failure> =
  | { events: AsyncIterable<ServerSentEvent>; error?: never; response: Response }
  | { events?: never; error: Failure; response: Response };

type Events<Method extends Call> = (...init: Parameters<Method>) => Promise<EventsResponse<Failure<Method>>>;
`,
  },
  {
    neededBy: ['blob'],
    text: `/** The bytes of the answer; a response that is no success gives \`error\` instead. */
export type BlobResponse<Failure> =
  | { data: Blob; error?: never; response: Response }
  | { data?: never; error: Failure; response: Response };

type Blobs<Method extends Call> = (...init: Parameters<Method>) => Promise<BlobResponse<Failure<Method>>>;
`,
  },
];

/** Sends the request of an operation. */
export const REQUEST_METHOD = `  const client = createClient<paths>(options);
  // The types of a method are those of its operation; what all of them share cannot be typed more closely.
  const send: (method: any, path: any, init: any) => Promise<any> = client.request;
  const request =
    (method: string, path: string, accept: string, parseAs?: string): any =>
    (init: any = {}) =>
      send(method, path, {
        ...init,
        ...(parseAs && { parseAs }),
        headers: mergeHeaders({ Accept: accept }, init.headers),
      });`;

/** The same for an operation whose answer is a stream of events. */
export const EVENTS_METHOD = `  const events =
    (method: string, path: string): any =>
    async (init?: any) => {
      const { data, error, response } = await request(method, path, 'text/event-stream', 'stream')(init);
      if (!response.ok) return { error, response };
      const type = response.headers.get('Content-Type') ?? 'no media type';
      if (!type.startsWith('text/event-stream')) {
        await data?.cancel();
        throw new TypeError(\`\${path} answered with \${type} where text/event-stream was expected\`);
      }
      return { events: decodeEvents(chunks(data)), response };
    };`;

/** A stream's bytes for \`for await\`, which not every browser offers; leaving the loop closes the connection. */
export const CHUNKS_FUNCTION = `async function* chunks(stream: ReadableStream<Uint8Array> | null | undefined): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
`;
