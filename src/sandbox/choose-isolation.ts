import { isSuperuser, readSubordinateUids, rootUids } from './command-user.ts';
import { buildSeccompFilter } from './seccomp.ts';
import type { UserSeparation } from './storage.ts';
import {
  SandboxError,
  type SandboxGuarantees,
  type SandboxLimits,
  type SandboxOptions,
  type SandboxStorage,
} from './types.ts';

/** Configuration of the isolation by bubblewrap. */
export type IsolationMethod = {
  separation: UserSeparation;
  storage: SandboxStorage;
  /** Passes `--disable-userns` to bubblewrap, which requires 0.8 and which some systems reject. */
  closesNamespaces: boolean;
  guarantees: Omit<SandboxGuarantees, 'copyOnWrite'>;
};

/** Smaller file systems are kept in memory, since an image would contain mostly metadata. */
const MIN_IMAGE_BYTES = 64 * 1024 * 1024;

/**
 * Lists the isolation methods that this process may try, the strictest first.
 *
 * @throws TypeError for an invalid storage or user range; SandboxError if the storage needs root.
 */
export function candidateIsolations(options: SandboxOptions, { diskBytes }: SandboxLimits): IsolationMethod[] {
  const storages: readonly SandboxStorage[] = ['image', 'memory', 'folder'];
  if (options.storage !== undefined && !storages.includes(options.storage)) {
    throw new TypeError(`invalid storage: expected image, memory or folder, got '${options.storage}'`);
  }
  const isRoot = isSuperuser();
  const subordinate = isRoot ? undefined : readSubordinateUids();
  const separations: UserSeparation[] = isRoot
    ? [{ kind: 'root', uids: rootUids(options.uidRange) }]
    : [...(subordinate ? [{ kind: 'subordinate', uids: subordinate } as const] : []), { kind: 'shared' }];
  const isPossible = ({ kind }: UserSeparation, storage: SandboxStorage) =>
    // Only root of the machine may mount images. A folder of the host cannot be owned by a subordinate user.
    (storage !== 'image' || kind === 'root') && (storage !== 'folder' || kind !== 'subordinate');
  const isWanted = (storage: SandboxStorage) =>
    options.storage ? storage === options.storage : storage !== 'image' || diskBytes >= MIN_IMAGE_BYTES;
  const isolations = separations.flatMap((separation) =>
    storages
      .filter((storage) => isPossible(separation, storage) && isWanted(storage))
      .flatMap((storage) =>
        [true, false].map((closesNamespaces) => ({
          separation,
          storage,
          closesNamespaces,
          guarantees: {
            ownUser: separation.kind !== 'shared' && separation.uids.count > 1,
            diskLimit: storage !== 'folder',
            systemCalls: buildSeccompFilter(false) !== undefined,
          },
        })),
      ),
  );
  if (isolations.length > 0) return isolations;
  throw new SandboxError('unavailable', `the storage '${options.storage}' needs a server that runs as root`);
}

const chosen = new Map<string, Promise<IsolationMethod>>();

/**
 * Returns the first isolation method that works on this machine, determined once by trying. Warns if a guarantee is
 * missing.
 *
 * @param attempt rejects with a SandboxError if the method does not work.
 */
export async function chooseIsolation(
  isolations: readonly IsolationMethod[],
  attempt: (isolation: IsolationMethod) => Promise<void>,
): Promise<IsolationMethod> {
  const key = JSON.stringify(isolations);
  const choice = chosen.get(key) ?? tryAll(isolations, attempt);
  chosen.set(key, choice);
  try {
    return await choice;
  } catch (error) {
    // Missing programs may be installed while the server runs.
    chosen.delete(key);
    throw error;
  }
}

async function tryAll(
  isolations: readonly IsolationMethod[],
  attempt: (isolation: IsolationMethod) => Promise<void>,
): Promise<IsolationMethod> {
  const problems: string[] = [];
  for (const isolation of isolations) {
    try {
      await attempt(isolation);
      warnMissingGuarantees(isolation, problems);
      return isolation;
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      // Only the weaker attempt of each pair counts, since it fails for a more basic reason.
      if (!isolation.closesNamespaces) problems.push(error.message);
    }
  }
  throw new SandboxError('unavailable', problems.at(-1) ?? '');
}

const warned = new Set<string>();

function warnMissingGuarantees({ guarantees, separation }: IsolationMethod, problems: readonly string[]): void {
  const missing = [
    ...(guarantees.ownUser ? [] : [missingUser(separation)]),
    ...(guarantees.diskLimit ? [] : ['diskBytes is measured once a second, not enforced by the kernel']),
    ...(guarantees.systemCalls ? [] : [`no system calls are filtered: their numbers on ${process.arch} are unknown`]),
  ];
  if (missing.length === 0) return;
  const reasons = problems.length > 0 ? ` Stricter methods failed: ${[...new Set(problems)].join('; ')}.` : '';
  const message = `sandboxes of bubblewrap are weaker here: ${missing.join('; ')}.${reasons} See docs/sandboxes.md.`;
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: 'SandboxWarning', code: 'ORS_SANDBOX_WEAKER' });
}

function missingUser({ kind }: UserSeparation): string {
  const remedy =
    kind === 'root'
      ? 'map more user ids into the user namespace of this container'
      : 'install newuidmap (`apt-get install uidmap`), and give this user a range in /etc/subuid and /etc/subgid';
  return `commands share a kernel user with ${kind === 'root' ? 'each other' : 'the server'}, whose limits they can exhaust: ${remedy}`;
}
