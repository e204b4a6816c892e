// Operations that the documents of the standard do not have; loaded on demand.
export { forkSession } from './fork.ts';
export { assertCandidates, assertReadable, isPlain, scoreGroup } from './score-group.ts';
