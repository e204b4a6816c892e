import { serve } from 'ors-kit/server';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import maze from '../../examples/maze/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import wire from './environment.ts';
const server = await serve([countdown, gsm8k, maze, javascript, wire], { port: 18812, validateResponses: process.argv[2] === 'validate' });
console.log(server.url);
