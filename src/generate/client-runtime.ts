/** Parts of a client that its operations need. */
export interface ClientNeeds {
  /** Kinds of responses. */
  readonly kinds: ReadonlySet<ResponseKind>;
  /** Parameters in styles that openapi-fetch does not know. */
  readonly styles: boolean;
  /** Bodies in other media types than `application/json`. */
  readonly bodies: boolean;
}

/** Form in which a method returns a successful response. */
export type ResponseKind = 'json' | 'events' | 'text' | 'blob';

/** Types at the start of a client, with the kinds of methods that need them. */
const RESPONSE_TYPES: readonly { readonly neededBy: readonly ResponseKind[]; readonly text: string }[] = [
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
  Awaited<ReturnType<Method>> extends infer Result ? (Result extends { error: infer E } ? E : never) : never;
`,
  },
  {
    neededBy: ['events'],
    text: `/** Events as they arrive; \`error\` for a status other than 2xx. */
export type EventsResponse<Failure> =
  | { events: AsyncIterable<ServerSentEvent>; error?: never; response: Response }
  | { events?: never; error: Failure; response: Response };

type Events<Method extends Call> = (...init: Parameters<Method>) => Promise<EventsResponse<Failure<Method>>>;
`,
  },
  {
    neededBy: ['blob'],
    text: `/** Bytes of the response; \`error\` for a status other than 2xx. */
export type BlobResponse<Failure> =
  | { data: Blob; error?: never; response: Response }
  | { data?: never; error: Failure; response: Response };

type Blobs<Method extends Call> = (...init: Parameters<Method>) => Promise<BlobResponse<Failure<Method>>>;
`,
  },
];

/** Returns the types at the start of a client. */
export function clientTypes({ kinds, styles, bodies }: ClientNeeds): string[] {
  const types = RESPONSE_TYPES.filter(({ neededBy }) => neededBy.some((kind) => kinds.has(kind))).map(
    ({ text }) => text,
  );
  const fields = [
    'parseAs?: string;',
    ...(styles ? ['styles?: Styles;'] : []),
    ...(bodies ? ['contentType?: string;'] : []),
  ];
  const form = `/** Differences of an operation from one that sends and returns JSON. */
interface RequestForm {
${fields.map((field) => `  readonly ${field}`).join('\n')}
}
`;
  return [...types, form];
}

/** Returns the functions within a client that send requests. */
export function clientMethods({ kinds, styles, bodies }: ClientNeeds): string[] {
  const form = ['parseAs', ...(styles ? ['styles'] : []), ...(bodies ? ['contentType'] : [])].join(', ');
  const request = `  const client = createClient<paths>(options);
  // Each method has the types of its operation; their common implementation cannot be typed more precisely.
  const send: (method: any, path: any, init: any) => Promise<any> = client.request;
  const request =
    (method: string, path: string, accept: string, { ${form} }: RequestForm = {}): any =>
    (init: any = {}) =>
      send(method, path, {
        ${bodies ? '...(contentType && { bodySerializer: (body: any) => bodyOf(body, contentType) }),\n        ' : ''}${styles ? '...(styles ? withStyles(init, styles, options) : init),' : '...init,'}
        ...(parseAs && { parseAs }),
        headers: mergeHeaders({ Accept: accept }, ${bodies ? 'bodyHeaders(init.body, contentType), ' : ''}init.headers),
      });`;
  return [request, ...(kinds.has('events') ? [EVENTS_METHOD] : [])];
}

/** Returns the functions at the end of a client. */
export function clientFunctions({ kinds, styles, bodies }: ClientNeeds): string[] {
  return [
    ...(kinds.has('events') ? [CHUNKS_FUNCTION] : []),
    ...(styles ? [STYLE_FUNCTIONS] : []),
    ...(bodies ? [BODY_FUNCTIONS] : []),
    ...(styles || bodies ? [NESTED_FUNCTION] : []),
  ];
}

/** Function that sends the request of an operation that responds with events. */
const EVENTS_METHOD = `  const events =
    (method: string, path: string, form: RequestForm = {}): any =>
    async (init?: any) => {
      const { data, error, response } = await request(method, path, 'text/event-stream', { ...form, parseAs: 'stream' })(init);
      if (!response.ok) return { error, response };
      const type = response.headers.get('Content-Type') ?? 'no media type';
      if (!type.startsWith('text/event-stream')) {
        await data?.cancel();
        throw new TypeError(\`invalid response of \${path}: expected text/event-stream, got \${type}\`);
      }
      return { events: decodeEvents(chunks(data)), response };
    };`;

/** Function that iterates over a stream, because not every browser can; leaving the loop closes the connection. */
const CHUNKS_FUNCTION = `async function* chunks(stream: ReadableStream<Uint8Array> | null | undefined): AsyncGenerator<Uint8Array> {
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

/** Functions that write parameters as the document says. */
const STYLE_FUNCTIONS = `type Styles = Readonly<Record<string, Readonly<Record<string, string>>>>;

function withStyles(init: any, { query, path, header }: Styles, options: ClientOptions): any {
  const params = { ...init.params };
  if (header && params.header) {
    params.header = { ...params.header };
    for (const [name, style] of Object.entries(header)) {
      if (params.header[name] != null) params.header[name] = styled(name, params.header[name], style, String);
    }
  }
  return {
    ...(query && !options.querySerializer && { querySerializer: (values: any) => queryOf(values, query) }),
    ...(path && !options.pathSerializer && { pathSerializer: (text: string, values: any) => pathOf(text, values, path) }),
    ...init,
    params,
  };
}

const plainQuery = createQuerySerializer();

const queryOf = (values: any, styles: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => {
      const style = styles[name];
      return style === undefined || value == null ? plainQuery({ [name]: value }) : styled(name, value, style);
    })
    .filter((text) => text !== '')
    .join('&');

const pathOf = (text: string, values: any, styles: Readonly<Record<string, string>>): string =>
  text.replace(/\\{([^{}]+)\\}/g, (match, name: string) => {
    const value = values[name];
    return value == null ? match : styled(name, value, styles[name] ?? 'simple');
  });

/** Writes a parameter in a style of OpenAPI: \`*\` explodes it, \`!\` writes JSON. */
function styled(name: string, value: any, style: string, encode: (value: any) => string = encodeURIComponent): string {
  if (style.includes('!')) return styled(name, JSON.stringify(value), style.replace('!', ''), encode);
  const kind = style.replace('*', '');
  const explode = style.includes('*');
  const isNamed = kind !== 'simple' && kind !== 'label';
  if (kind === 'deepObject') return nested(name, value, encode).join('&');
  const isObject = typeof value === 'object' && !Array.isArray(value);
  const entries = isObject ? Object.entries(value).filter(([, member]) => member != null) : [];
  const parts = isObject
    ? entries.flatMap(([key, member]) => (explode ? [\`\${encode(key)}=\${encode(member)}\`] : [encode(key), encode(member)]))
    : [value].flat().map((item) => encode(item));
  if (parts.length === 0) return '';
  const prefix = kind === 'label' ? '.' : kind === 'matrix' ? ';' : '';
  if (explode && isNamed) {
    return prefix + parts.map((part) => (isObject ? part : \`\${name}=\${part}\`)).join(prefix || '&');
  }
  const dot = explode && kind === 'label' ? '.' : ',';
  const separator = kind === 'spaceDelimited' ? '%20' : kind === 'pipeDelimited' ? '%7C' : dot;
  return prefix + (isNamed ? \`\${name}=\` : '') + parts.join(separator);
}
`;

/** Functions that write bodies in other media types than `application/json`. */
const BODY_FUNCTIONS = `/** fetch itself sets the type of a multipart body, with its boundary. */
const bodyHeaders = (body: any, contentType?: string): Record<string, string> =>
  body === undefined || !contentType || contentType.startsWith('multipart/') ? {} : { 'Content-Type': contentType };

function bodyOf(body: any, contentType: string): any {
  if (contentType.includes('json')) return JSON.stringify(body);
  const isPlain = typeof body === 'object' && body !== null && [null, Object.prototype].includes(Object.getPrototypeOf(body));
  if (!isPlain) return body;
  if (contentType.startsWith('multipart/')) return formData(body);
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return JSON.stringify(body);
  return Object.entries(body).flatMap(([name, value]) => nested(encodeURIComponent(name), value, encodeURIComponent)).join('&');
}

function formData(body: Record<string, any>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const item of [value].flat()) {
      if (item == null) continue;
      const isPlain = typeof item === 'object' && !(item instanceof Blob);
      form.append(name, isPlain ? new Blob([JSON.stringify(item)], { type: 'application/json' }) : item);
    }
  }
  return form;
}
`;

/** Function that writes an object with brackets: `a[b]=c`. */
const NESTED_FUNCTION = `function nested(name: string, value: any, encode: (value: any) => string): string[] {
  if (value == null) return [];
  if (typeof value !== 'object') return [\`\${name}=\${encode(value)}\`];
  return Object.entries(value).flatMap(([key, member]) => nested(\`\${name}[\${encode(key)}]\`, member, encode));
}
`;
