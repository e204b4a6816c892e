import type { Mutant } from '../mutant.ts';
import { isFor } from '../wire.ts';
import { refusal } from './change.ts';

export const flowMutants: readonly Mutant[] = [
  {
    name: 'a prompt is refused to clients that accept anything',
    caughtBy: ['episode/documented-flow'],
    wire: () => ({
      request: (request) => (isFor(request, 'prompt') && request.headers.accept === '*/*' ? refusal(406) : request),
    }),
  },
];
