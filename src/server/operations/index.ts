import type { operations } from '../../../generated/ors.ts';
import type { Handlers } from '../../http/index.ts';
import type { ServerContext } from '../context.ts';
import { discovery } from './discovery.ts';
import { interaction } from './interaction.ts';
import { service } from './service.ts';
import { sessions } from './sessions.ts';

/** One handler for every operation of the standard. */
export const handlers: Handlers<operations, ServerContext> = { ...service, ...discovery, ...sessions, ...interaction };
