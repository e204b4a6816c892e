import { orsGenerate, workshop } from './workshop.ts';

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

/** Files generated from a document that has nothing to do with ORS. */
export async function petShop() {
  const shop = await workshop();
  await shop.write('new-pet.yaml', NEW_PET);
  const outcome = await orsGenerate(await shop.write('pet-shop.yaml', PETS), '--out', shop.folder);
  return { ...shop, outcome };
}
