import { expect, test } from '@jest/globals';
import { peer } from './peer.ts';
import { orsGenerate, typeErrors, workshop } from './workshop.ts';

const PETS = `openapi: 3.0.3
info: { title: Pet shop, version: 1.0.0 }
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: limit, in: query, schema: { type: integer, default: 10 } }]
      responses:
        '200':
          description: Pets.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
    post:
      operationId: addPet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: './new-pet.yaml#/NewPet' } } }
      responses:
        '201':
          description: Added.
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
        default:
          description: Refused.
          content:
            application/problem+json:
              schema: { type: object, required: [title], properties: { title: { type: string } } }
  /pets/{id}:
    delete:
      operationId: delete
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: Gone. } }
  /photo:
    get:
      operationId: photo
      responses: { '200': { description: Picture., content: { image/png: { schema: { type: string, format: binary } } } } }
  /motto:
    get:
      operationId: motto
      responses: { '200': { description: Text., content: { text/plain: { schema: { type: string } } } } }
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer }
        name: { type: string }
        tag: { type: string, nullable: true }
        born: { type: string, format: date }
`;
const NEW_PET = 'NewPet: { type: object, required: [name], properties: { name: { type: string, minLength: 1 } } }';

const CONSUMER = `
import { createPetShopClient } from './pet-shop-client.js';
import { operations } from './pet-shop-operations.js';
import { validators } from './pet-shop-validators.js';

const client = createPetShopClient({ baseUrl: 'http://localhost' });
export const names = client.listPets().then(({ data }) => data?.map(({ name }) => name.length));
export const refused = client.addPet({ body: { name: 'Rex' } }).then(({ error }) => error?.title);
export const motto: Promise<string | undefined> = client.motto().then(({ data }) => data);
export const size: Promise<number | undefined> = client.photo().then(({ data }) => data?.size);
export const path: '/pets/{id}' = operations.delete.path;
export const tagOf = (value: unknown) => (validators.Pet(value) ? value.tag?.length : undefined);
`;

async function petShop() {
  const shop = await workshop();
  await shop.write('new-pet.yaml', NEW_PET);
  const outcome = await orsGenerate(await shop.write('pet-shop.yaml', PETS), '--out', shop.folder);
  return { ...shop, outcome };
}

test('the files of a document that has nothing to do with ORS compile with their consumer', async () => {
  await using shop = await petShop();
  const consumer = await shop.write('consumer.ts', CONSUMER);
  const generated = ['', '-operations', '-document', '-validators', '-client'].map((part) => `pet-shop${part}.ts`);

  const errors = typeErrors([consumer, ...generated.map(shop.path)]);

  expect(shop.outcome).toEqual({ exitCode: 0, stderr: '' });
  expect(errors.flat()).toEqual([]);
});

test('the client of a foreign document speaks JSON, text, bytes and nothing at all', async () => {
  await using shop = await petShop();
  await using server = await peer(({ method, url }, response) => {
    if (method === 'DELETE') response.writeHead(204).end();
    else if (url === '/motto') response.writeHead(200, { 'Content-Type': 'text/plain' }).end('Be kind.');
    else if (url === '/photo') response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.of(1, 2, 3));
    else response.writeHead(409, { 'Content-Type': 'application/problem+json' }).end('{"title":"There is one."}');
  });
  const { createPetShopClient } = await import(shop.path('pet-shop-client.ts'));
  const client = createPetShopClient({ baseUrl: server.url });

  const { data: motto } = await client.motto();
  const { data: photo } = await client.photo();
  const { error: refused } = await client.addPet({ body: { name: 'Rex' } });
  const { error: failed, response } = await client.delete({ params: { path: { id: 1 } } });

  expect({ motto, photo: photo.size, refused, failed, status: response.status }).toEqual({
    motto: 'Be kind.',
    photo: 3,
    refused: { title: 'There is one.' },
    failed: undefined,
    status: 204,
  });
});

test('the validators of a foreign document know formats, nullable and schemas of other files', async () => {
  await using shop = await petShop();
  const { validators } = await import(shop.path('pet-shop-validators.ts'));

  const verdicts = [
    validators.Pet({ id: 1, name: 'Rex', tag: null, born: '2024-02-29' }),
    validators.Pet({ id: 1, name: 'Rex', born: '2023-02-29' }),
    validators.NewPet({ name: 'é' }),
    validators.NewPet({ name: '' }),
  ];

  expect(verdicts).toEqual([true, false, true, false]);
});
