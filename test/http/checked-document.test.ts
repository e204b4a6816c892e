import { expect, test } from '@jest/globals';
import { checkedDocument } from '../../src/http/express-app.ts';

const ref = (path: string) => ({ $ref: `#/components/${path}` });
const content = (path: string) => ({ 'application/json': { schema: ref(path) } });

const document = {
  openapi: '3.1.0',
  paths: {
    '/traces/{id}': {
      parameters: [ref('parameters/Id')],
      post: {
        requestBody: { content: content('schemas/Input') },
        responses: { 200: ref('responses/Done') },
      },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', schema: ref('schemas/Name') }, Unused: {} },
    responses: { Done: { content: content('schemas/Output') } },
    schemas: {
      Name: { type: 'string' },
      Input: { properties: { again: ref('schemas/Input'), part: ref('schemas/Part/properties/inner') } },
      Part: { properties: { inner: { type: 'number' } } },
      Output: { type: 'object' },
    },
  },
};

test.each([
  [{ responses: true, withoutBodies: false }, ['Name', 'Input', 'Part', 'Output']],
  [{ responses: false, withoutBodies: false }, ['Name', 'Input', 'Part']],
  [{ responses: true, withoutBodies: true }, ['Name', 'Output']],
  [{ responses: false, withoutBodies: true }, ['Name']],
])('with %j the validator is given the schemas %j and no others', (parts, names) => {
  const before = structuredClone(document);

  const { components, paths } = checkedDocument(document, parts) as typeof document;

  expect(Object.keys(components.schemas)).toEqual(names);
  expect(components.parameters).toEqual({ Id: document.components.parameters.Id });
  expect(Object.keys(paths['/traces/{id}'].post)).toEqual([
    ...(parts.withoutBodies ? [] : ['requestBody']),
    ...(parts.responses ? ['responses'] : []),
  ]);
  expect(document).toEqual(before);
});
