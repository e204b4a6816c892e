import { isHttpUrl } from '../../core/index.ts';
import type { ConnectionFlags } from '../remote/connection-options.ts';
import { openManifest } from './open-manifest.ts';
import { openModule, openServer } from './open-server.ts';
import type { Choice, TaskSource } from './task-source.ts';

const isModule = (subject: string): boolean => /\.[cm]?[jt]sx?$/i.test(subject);

/** Whether a subject is a file of tasks, and neither the address of a server nor a module. */
export const isManifest = (subject: string): boolean => !isHttpUrl(subject) && !isModule(subject);

/** Opens the address of a server, a module, or a manifest. @throws Failure or Error if it cannot be read. */
export function openSource(
  subject: string,
  choice: Choice,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<TaskSource> {
  if (isHttpUrl(subject)) return openServer(subject, choice, flags, interrupt);
  if (isModule(subject)) return openModule(subject, choice, flags, interrupt);
  return openManifest(subject);
}
