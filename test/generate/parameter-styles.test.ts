import { expect, test } from '@jest/globals';
import { json, peer } from './peer.ts';
import { orsGenerate, workshop } from './workshop.ts';

const list = { type: 'array', items: { type: 'string' } };
const object = { type: 'object', properties: { role: { type: 'string' }, name: { type: 'string' } } };
const user = { role: 'admin', name: 'a b' };
const style = (name: string, explode?: boolean) => ({ style: name, ...(explode !== undefined && { explode }) });

/** Location, schema, style and value of a parameter `p`, and what is sent: decoded, except for the percent sign of `%20`. */
const rows: readonly (readonly [string, object, object, unknown, string])[] = [
  ['query', { type: 'string' }, {}, 'a&b', '?p=a%26b'],
  ['query', list, {}, ['a', 'b'], '?p=a&p=b'],
  ['query', list, style('form', false), ['a', 'b,c'], '?p=a,b%2Cc'],
  ['query', list, style('pipeDelimited', false), ['a', 'b'], '?p=a%7Cb'],
  ['query', list, style('spaceDelimited', false), ['a', 'b'], '?p=a%20b'],
  ['query', list, style('pipeDelimited', true), ['a', 'b'], '?p=a&p=b'],
  ['query', object, {}, user, '?role=admin&name=a%20b'],
  ['query', object, style('form', false), user, '?p=role,admin,name,a%20b'],
  [
    'query',
    object,
    style('deepObject'),
    { ...user, in: { x: 1 }, of: ['y'] },
    '?p[role]=admin&p[name]=a%20b&p[in][x]=1&p[of][0]=y',
  ],
  ['query', { type: 'string' }, { allowReserved: true }, 'a/b&c', '?p=a%2Fb%26c'],
  ['query', {}, {}, 5, '?p=5'],
  ['query', {}, {}, [], ''],
  ['path', { type: 'string' }, {}, 'a/b', '/a%2Fb'],
  ['path', list, {}, ['a', 'b'], '/a,b'],
  ['path', object, {}, user, '/role,admin,name,a%20b'],
  ['path', object, style('simple', true), user, '/role=admin,name=a%20b'],
  ['path', { type: 'string' }, style('label'), 'a', '/.a'],
  ['path', list, style('label', true), ['a', 'b'], '/.a.b'],
  ['path', list, style('label'), ['a', 'b'], '/.a,b'],
  ['path', list, style('matrix'), ['a', 'b'], '/;p=a,b'],
  ['path', list, style('matrix', true), ['a', 'b'], '/;p=a;p=b'],
  ['path', object, style('matrix', true), user, '/;role=admin;name=a%20b'],
  ['header', { type: 'string' }, {}, 'a b', 'a b'],
  ['header', list, {}, ['a', 'b'], 'a,b'],
  ['header', object, style('simple', true), user, 'role=admin,name=a b'],
];

test('sends every parameter in the style of the document', async () => {
  await using shop = await workshop();
  const paths = Object.fromEntries(
    rows.map(([location, schema, more], index) => [
      location === 'path' ? `/${index}/{p}` : `/${index}`,
      {
        get: {
          operationId: `get${index}`,
          parameters: [{ name: 'p', in: location, required: location === 'path', schema, ...more }],
          responses: { 204: { description: 'Sent.' } },
        },
      },
    ]),
  );
  const content = { 'application/json': { schema: object } };
  const filter = { name: 'filter', in: 'query', content };
  const search = { get: { operationId: 'search', parameters: [filter], responses: { 204: { description: 'Sent.' } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Styles', version: '1' },
    paths: { ...paths, '/search': search },
  };
  await orsGenerate(await shop.write('styles.json', JSON.stringify(document)), '--out', shop.folder);
  const { createStylesClient } = await import(shop.path('styles-client.ts'));
  const sent: string[] = [];
  await using server = await peer((request, response) => {
    const [, rest = ''] = /^\/\d+(.*)$/.exec(request.url ?? '') ?? ['', request.url];
    sent.push(String(request.headers.p ?? rest));
    json(200, {})(request, response);
  });
  const client = createStylesClient({ baseUrl: server.url });

  for (const [index, [location, , , value]] of rows.entries()) {
    await client[`get${index}`]({ params: { [location]: { p: value } } });
  }
  await client.search({ params: { query: { filter: { role: 'a' } } } });

  expect(sent).toEqual([...rows.map((row) => row[4]), '/search?filter=%7B%22role%22%3A%22a%22%7D']);
});

test('leaves parameters to the serializers that the user passes', async () => {
  await using shop = await workshop();
  const parameters = [{ name: 'p', in: 'query', schema: object }];
  const get = { operationId: 'get', parameters, responses: { 204: { description: 'Sent.' } } };
  const document = { openapi: '3.1.0', info: { title: 'Own', version: '1' }, paths: { '/': { get } } };
  await orsGenerate(await shop.write('own.json', JSON.stringify(document)), '--out', shop.folder);
  const { createOwnClient } = await import(shop.path('own-client.ts'));
  const sent: string[] = [];
  await using server = await peer((request, response) => {
    sent.push(String(request.url));
    json(200, {})(request, response);
  });
  const querySerializer = () => 'mine';
  const params = { query: { p: user } };

  await createOwnClient({ baseUrl: server.url, querySerializer }).get({ params });
  await createOwnClient({ baseUrl: server.url }).get({ params, querySerializer });

  expect(sent).toEqual(['/?mine', '/?mine']);
});

test('sends a body in the media type of the document, as JSON if that is possible', async () => {
  await using shop = await workshop();
  const post = (operationId: string, ...types: string[]) => ({
    post: {
      operationId,
      requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: object }])) },
      responses: { 204: { description: 'Sent.' } },
    },
  });
  const paths = {
    '/json': post('json', 'application/x-www-form-urlencoded', 'application/merge-patch+json'),
    '/form': post('form', 'application/x-www-form-urlencoded'),
    '/parts': post('parts', 'multipart/form-data'),
    '/text': post('text', 'text/csv'),
  };
  const document = { openapi: '3.1.0', info: { title: 'Bodies', version: '1' }, paths };
  await orsGenerate(await shop.write('bodies.json', JSON.stringify(document)), '--out', shop.folder);
  const { createBodiesClient } = await import(shop.path('bodies-client.ts'));
  const sent: string[] = [];
  await using server = await peer(async (request, response) => {
    const body = String(Buffer.concat(await request.toArray()));
    const type = request.headers['content-type'];
    sent.push(`${request.url} ${type?.replace(/;.*/, '')} ${body.replaceAll(/\r\n|------\S*/g, ' ').trim()}`);
    json(200, {})(request, response);
  });
  const client = createBodiesClient({ baseUrl: server.url });
  const body = { a: 'x y', list: [1, 2], more: { b: true } };

  await client.json({ body });
  await client.form({ body });
  await client.form({ body: 'a=b' });
  await client.form();
  await client.parts({ body: { a: 'x', file: new Blob(['bytes'], { type: 'text/plain' }) } });
  await client.text({ body: 'a,b' });

  expect(sent).toEqual([
    '/json application/merge-patch+json {"a":"x y","list":[1,2],"more":{"b":true}}',
    '/form application/x-www-form-urlencoded a=x%20y&list[0]=1&list[1]=2&more[b]=true',
    '/form application/x-www-form-urlencoded a=b',
    '/form undefined ',
    expect.stringMatching(/^\/parts multipart\/form-data .*name="a"\s+x\s.*name="file".*text\/plain\s+bytes$/),
    '/text text/csv a,b',
  ]);
});
