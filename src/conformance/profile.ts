/**
 * - `discovery`: reads only; no session is made.
 * - `core`: a few sessions and calls, on any server; includes discovery.
 * - `full`: what needs more sessions, calls or time, or the fixture environment; includes core.
 * - `soak`: waits for the standard's 60 seconds and 15 minutes to pass.
 * - `hostile`: malformed HTTP, slow senders, readers that do not read.
 */
export type Profile = 'discovery' | 'core' | 'full' | 'soak' | 'hostile';

/** Which checks each profile runs. */
export const PROFILE_INCLUDES: Readonly<Record<Profile, readonly Profile[]>> = {
  discovery: ['discovery'],
  core: ['discovery', 'core'],
  full: ['discovery', 'core', 'full'],
  soak: ['soak'],
  hostile: ['hostile'],
};
