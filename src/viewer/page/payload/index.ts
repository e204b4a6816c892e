import './payload.css';
import './prose.css';
import './terminal.css';
import './values.css';

export { OrsBlocks as Blocks } from './blocks.tsx';
export { TextDiff as Diff } from './diff.tsx';
export { JsonTree } from './json-tree.tsx';
export { Payload } from './payload.tsx';
export { ToolResults as Results } from './results.tsx';
