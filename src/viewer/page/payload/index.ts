import './payload.css';
import './prose.css';
import './terminal.css';
import './values.css';

export { OrsBlocks } from './blocks.tsx';
export { TextDiff } from './code.tsx';
export { PayloadFrame } from './frame.tsx';
export { JsonTree } from './json-tree.tsx';
export { Payload } from './payload.tsx';
