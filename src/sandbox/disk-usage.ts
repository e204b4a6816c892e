import { spawn } from 'node:child_process';
import { SandboxError } from './sandbox-error.ts';

/** What a file takes besides its contents; without it, empty files would be free, and there is no end of them. */
const MIN_KIB = 4;

/**
 * Bytes of all files in the folder of a sandbox. Counted by a program, which gets through folders deeper than any path
 * is long, with the rights to look into folders that commands have closed.
 */
export async function measureDiskUsage(folder: string): Promise<number> {
  const find = ['find', folder, '-xdev', '-printf', '%k\\n'];
  // As root in a namespace of its own, a user may look into all of their files.
  const asRoot = ['bwrap', '--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'CAP_DAC_READ_SEARCH'];
  const [file = '', ...args] = process.getuid?.() === 0 ? find : [...asRoot, '--ro-bind', '/', '/', '--', ...find];
  const child = spawn(file, args, { cwd: '/', env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject));
  let [files, kib, rest] = [0, 0, ''];
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    files += lines.length;
    for (const line of lines) kib += Math.max(MIN_KIB, Number(line));
  });
  await ended.catch((cause) => {
    throw new SandboxError('failed', `cannot measure the files of a sandbox: ${cause.message}`, { cause });
  });
  // The folder itself is counted too. Files that go away meanwhile are no failure.
  if (files === 0) throw new SandboxError('failed', `cannot measure the files of a sandbox: ${folder} is not there`);
  return kib * 1024;
}
