export { tearDown as default } from './fork-servers.mjs';
