/** What kept a sandbox from doing what was asked. */
export type SandboxErrorCode =
  /** The provider cannot be used on this machine; the message says what to do. */
  | 'unavailable'
  /** The sandbox is removed, or was removed meanwhile. */
  | 'removed'
  /** `read`: there is no such file, or a link leads nowhere. */
  | 'not-found'
  /** `read` and `write`: a folder, a pipe or another thing that is no plain file; or one that commands made unreadable. */
  | 'no-file'
  /** `read` and `write`: more bytes than allowed. */
  | 'too-large'
  /** `read` and `write`: not done within the time limit. */
  | 'timeout'
  /** Anything else that went wrong outside of the command. */
  | 'failed';

/** A failure of the sandbox itself, or of `read` and `write`. A command that fails is no error: see `exitCode`. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
