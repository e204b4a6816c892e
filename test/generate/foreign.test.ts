import { expect, test } from '@jest/globals';
import { peer } from './peer.ts';
import { petShop } from './pet-shop.ts';

test('reads JSON, text, bytes and empty responses by the client of a foreign document', async () => {
  await using shop = await petShop();
  await using server = await peer(({ method, url }, response) => {
    if (method === 'DELETE') response.writeHead(204).end();
    else if (url === '/motto') response.writeHead(200, { 'Content-Type': 'text/plain' }).end('Be kind.');
    else if (url === '/photo') response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.of(1, 2, 3));
    else response.writeHead(409, { 'Content-Type': 'application/problem+json' }).end('{"title":"There is one."}');
  });
  expect(shop.outcome).toEqual({ exitCode: 0, stderr: '' });
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

test('validates formats, nullable and schemas of other files of a foreign document', async () => {
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
