import { expect, test } from '@jest/globals';
import { nameOperations } from '../../src/generate/operations.ts';

const operation = (operationId: unknown, path = '/a', method = 'get') => ({ operationId, method, path });

test.each([
  ['listPets', 'listPets'],
  ['ListPets', 'ListPets'],
  ['list_pets', 'list_pets'],
  ['constructor', 'constructor'],
  ['größe', 'größe'],
  ['meta/root', 'metaRoot'],
  ['get-pet', 'getPet'],
  ['Pets.List all', 'petsListAll'],
  ['2fa/enable', '_2faEnable'],
  ['then', 'then_'],
  ['__proto__', '__proto___'],
])('names the operation %j %s', (id, name) => {
  expect(nameOperations([operation(id)])).toEqual([name]);
});

test.each([
  ['get', '/', 'getRoot'],
  ['get', '/pets/{id}', 'getPetsById'],
  ['put', '/pets/{pet-id}/tags.json', 'putPetsByPetIdTagsJson'],
  ['delete', '/files/{name}.{ext}', 'deleteFilesByNameByExt'],
])('names %s %s without an operationId %s', (method, path, name) => {
  const ids = [undefined, '', '---', 5];

  expect(ids.map((id) => nameOperations([operation(id, path, method)])[0])).toEqual(ids.map(() => name));
});

test('numbers names that are taken, but not the operationId of another operation, and says so', () => {
  const notices: string[] = [];
  const operations = [
    operation('get-pet', '/1'),
    operation('get/pet', '/2'),
    operation('getPet', '/3'),
    operation('getPet2', '/4'),
    operation('getPet', '/5'),
  ];

  const names = nameOperations(operations, (notice) => notices.push(notice));

  expect(names).toEqual(['getPet3', 'getPet4', 'getPet', 'getPet2', 'getPet5']);
  expect(notices).toEqual([
    'GET /1 is named getPet3, because getPet is the name of GET /3',
    'GET /2 is named getPet4, because getPet is the name of GET /3',
    'GET /5 is named getPet5, because getPet is the name of GET /3',
  ]);
});
