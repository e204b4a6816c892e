const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (content: object) => ({ content: { 'application/json': { schema: content } } });
const ok = (content: object) => ({ 200: { description: 'Fine.', ...json(content) } });
const path = (name: string, more: object = { type: 'string' }) => ({ name, in: 'path', required: true, schema: more });

/** In the manner of APIs with operationIds such as `repos/get`, in OpenAPI 3.0. */
const forge = {
  openapi: '3.0.3',
  info: { title: 'Forge */ v1', version: '1' },
  paths: {
    '/': {
      get: {
        operationId: 'meta/root',
        responses: ok({ type: 'object', additionalProperties: { type: 'string', format: 'uri' } }),
      },
    },
    '/repos/{owner}/{repo}': {
      parameters: [path('owner'), { $ref: '#/components/parameters/Repo' }],
      get: {
        operationId: 'repos/get',
        responses: { ...ok(schema('full-repository')), 404: { $ref: '#/components/responses/not_found' } },
      },
      patch: {
        operationId: 'repos/update',
        requestBody: json({
          type: 'object',
          properties: { name: { type: 'string' }, private: { type: 'boolean', default: false } },
        }),
        responses: ok(schema('full-repository')),
      },
      delete: { operationId: 'repos/delete', responses: { 204: { description: 'Gone.' } } },
    },
    '/repos/{owner}/{repo}/issues': {
      get: {
        parameters: [
          path('owner'),
          { $ref: '#/components/parameters/Repo' },
          { name: 'labels', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
          { name: 'since', in: 'query', schema: { type: 'string', format: 'date-time', nullable: true } },
        ],
        responses: {
          200: {
            description: 'Issues.',
            headers: { Link: { schema: { type: 'string' } } },
            ...json({ type: 'array', items: schema('issue') }),
          },
        },
      },
      post: {
        operationId: 'issues/create',
        parameters: [path('owner'), path('repo')],
        requestBody: { required: true, ...json(schema('issue')) },
        responses: ok(schema('issue')),
      },
    },
    '/archive/{file}.{format}': {
      get: {
        operationId: 'get-archive',
        parameters: [path('file'), path('format')],
        responses: { 200: { description: 'Archive.', content: { 'application/zip': {} } } },
      },
    },
    '/markdown/raw': {
      post: {
        operationId: 'markdown/render-raw',
        requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } },
        responses: { 200: { description: 'Page.', content: { 'text/html': { schema: { type: 'string' } } } } },
      },
    },
  },
  components: {
    parameters: { Repo: path('repo') },
    responses: { not_found: { description: 'Not found.', ...json(schema('basic-error')) } },
    schemas: {
      'simple-user': {
        type: 'object',
        required: ['login', 'id'],
        properties: {
          login: { type: 'string' },
          id: { type: 'integer', format: 'int64' },
          type: { type: 'string', enum: ['User', 'Bot'] },
        },
      },
      'nullable-user': { nullable: true, allOf: [schema('simple-user')] },
      repository: {
        type: 'object',
        required: ['name', 'owner'],
        properties: {
          name: { type: 'string', description: 'Ends */ here.' },
          owner: schema('simple-user'),
          fork: { type: 'boolean' },
          topics: { type: 'array', items: { type: 'string' } },
        },
      },
      'full-repository': {
        allOf: [
          schema('repository'),
          {
            type: 'object',
            required: ['fork'],
            properties: {
              parent: schema('repository'),
              license: { nullable: true, oneOf: [{ type: 'string' }, schema('basic-error')] },
            },
          },
        ],
      },
      issue: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string' },
          assignee: schema('nullable-user'),
          state: { type: 'string', nullable: true, enum: ['open', 'closed'] },
          labels: {
            type: 'array',
            items: { oneOf: [{ type: 'string' }, { type: 'object', properties: { name: { type: 'string' } } }] },
          },
        },
      },
      'basic-error': { type: 'object', properties: { message: { type: 'string' }, '2fa': { type: 'boolean' } } },
    },
  },
};

/** In the manner of APIs with expandable objects and forms as bodies, in OpenAPI 3.0. */
const payments = {
  openapi: '3.0.0',
  info: { title: 'Payments', version: '1' },
  paths: {
    '/v1/charges': {
      get: {
        operationId: 'GetCharges',
        parameters: [
          {
            name: 'created',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { anyOf: [{ type: 'integer' }, { type: 'object', properties: { gt: { type: 'integer' } } }] },
          },
          {
            name: 'expand',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        responses: ok({
          type: 'object',
          required: ['data'],
          properties: { data: { type: 'array', items: schema('charge') }, has_more: { type: 'boolean' } },
        }),
      },
      post: {
        operationId: 'PostCharges',
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['amount'],
                properties: {
                  amount: { type: 'integer' },
                  metadata: {
                    anyOf: [
                      { type: 'object', additionalProperties: { type: 'string' } },
                      { type: 'string', enum: [''] },
                    ],
                  },
                },
              },
            },
          },
        },
        responses: { ...ok(schema('charge')), default: { description: 'Error.', ...json(schema('error')) } },
      },
    },
    '/v1/charges/{charge}': {
      get: {
        operationId: 'GetChargesCharge',
        parameters: [path('charge', { type: 'string', maxLength: 50 })],
        responses: ok(schema('charge')),
      },
    },
    '/v1/files': {
      post: {
        operationId: 'PostFiles',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
            },
          },
        },
        responses: ok({}),
      },
    },
    '/v1/events': {
      get: {
        operationId: 'GetEvents',
        responses: {
          200: { description: 'Events.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      charge: {
        type: 'object',
        required: ['id', 'object', 'source'],
        properties: {
          id: { type: 'string', maxLength: 5000 },
          object: { type: 'string', enum: ['charge'] },
          source: schema('payment_source'),
          customer: { anyOf: [{ type: 'string' }, schema('customer'), schema('deleted_customer')], nullable: true },
          metadata: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      customer: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          default_source: { anyOf: [{ type: 'string' }, schema('payment_source')], nullable: true },
        },
      },
      deleted_customer: {
        type: 'object',
        required: ['deleted'],
        properties: { deleted: { type: 'boolean', enum: [true] } },
      },
      payment_source: { anyOf: [schema('card'), schema('bank_account')], discriminator: { propertyName: 'object' } },
      card: {
        type: 'object',
        required: ['object'],
        properties: { object: { type: 'string', enum: ['card'] }, customer: schema('customer') },
      },
      bank_account: {
        type: 'object',
        required: ['object'],
        properties: { object: { type: 'string', enum: ['bank_account'] } },
      },
      error: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'object', properties: { code: { type: 'string' } } } },
      },
    },
  },
};

/** Features of JSON Schema 2020-12, and of OpenAPI 3.1. */
const atlas = {
  openapi: '3.1.0',
  info: { title: 'Atlas', version: '1' },
  paths: {
    '/places': { $ref: '#/components/pathItems/Places' },
    '/places/{area}/{id}': {
      get: {
        tags: ['places'],
        parameters: [path('area', { type: 'array', items: { type: 'number' } }), path('id')],
        responses: ok(schema('Place')),
      },
    },
    '/places-by-id': { get: { operationId: 'getPlacesByAreaById', responses: ok({}) } },
  },
  components: {
    pathItems: {
      Places: {
        get: { responses: ok({ type: 'array', items: schema('Place') }) },
        put: {
          operationId: 'put places',
          requestBody: json(schema('Place')),
          responses: { '2XX': { description: 'Fine.', ...json(schema('Place')) } },
        },
      },
    },
    schemas: {
      Point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 },
      Line: { type: 'array', items: schema('Point'), minItems: 2 },
      Place: {
        type: 'object',
        required: ['at', 'type'],
        properties: {
          at: { $ref: '#/components/schemas/Line/items', description: 'Center.' },
          type: { const: 'place' },
          parts: { type: 'array', items: schema('Place') },
          none: false,
        },
        patternProperties: { '^x-': {} },
      },
      Area: { allOf: [schema('Shape'), { type: 'object', properties: { size: { type: ['number', 'null'] } } }] },
      Shape: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' } },
        oneOf: [schema('Area'), schema('Ring')],
        discriminator: { propertyName: 'kind' },
      },
      Ring: {
        allOf: [schema('Shape')],
        properties: { points: { type: 'array', items: { $ref: '#/components/schemas/Point' } } },
        required: ['points'],
      },
      Value: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { type: 'array', items: schema('Value') },
          { type: 'object', additionalProperties: schema('Value') },
        ],
      },
      Record: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Place/properties/parts' } },
    },
  },
};

/** Documents in the manner of public APIs, by the name of their file. */
export const SMALL_SPECIFICATIONS: Readonly<Record<string, object>> = { forge, payments, atlas };
