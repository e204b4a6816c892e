import './payload.css';
import './prose.css';
import './terminal.css';
import './values.css';

export { Blocks } from './blocks.tsx';
export { Diff } from './diff.tsx';
export { JsonTree } from './json-tree.tsx';
export { Payload } from './payload.tsx';
export { Results } from './results.tsx';
