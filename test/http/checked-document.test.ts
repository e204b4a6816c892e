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
  [{ validateResponses: true, handlersCheckBodies: false }, ['Name', 'Input', 'Part', 'Output']],
  [{ validateResponses: false, handlersCheckBodies: false }, ['Name', 'Input', 'Part']],
  [{ validateResponses: true, handlersCheckBodies: true }, ['Name', 'Output']],
  [{ validateResponses: false, handlersCheckBodies: true }, ['Name']],
])('passes with %j only the schemas %j to the validator', (parts, names) => {
  const before = structuredClone(document);

  const { components, paths } = checkedDocument(document, parts) as typeof document;

  expect(Object.keys(components.schemas)).toEqual(names);
  expect(components.parameters).toEqual({ Id: document.components.parameters.Id });
  expect(Object.keys(paths['/traces/{id}'].post)).toEqual([
    ...(parts.handlersCheckBodies ? [] : ['requestBody']),
    ...(parts.validateResponses ? ['responses'] : []),
  ]);
  expect(document).toEqual(before);
});
