import { isHttpUrl } from '../../core/index.ts';
import type { ConnectionFlags } from '../remote/connection-options.ts';
import { openManifestReader } from './open-manifest.ts';
import { openModuleTaskReader, openServerTaskReader } from './open-server.ts';
import type { TaskFilter, TaskReader } from './task-source.ts';

const isModule = (subject: string): boolean => /\.[cm]?[jt]sx?$/i.test(subject);

/** Whether a subject is a file of tasks, and neither the address of a server nor a module. */
export const isManifest = (subject: string): boolean => !isHttpUrl(subject) && !isModule(subject);

/** Opens the address of a server, a module, or a manifest. @throws Failure or Error if it cannot be read. */
export function openTaskReader(
  subject: string,
  choice: TaskFilter,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<TaskReader> {
  if (isHttpUrl(subject)) return openServerTaskReader(subject, choice, flags, interrupt);
  if (isModule(subject)) return openModuleTaskReader(subject, choice, flags, interrupt);
  return openManifestReader(subject);
}
