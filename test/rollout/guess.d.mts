import type { Environment } from 'ors-kit';

declare const environment: Environment;
export default environment;
