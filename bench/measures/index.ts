import { calls } from './calls.ts';
import { endurance } from './endurance.ts';
import { episodes } from './episodes.ts';
import { growth } from './growth.ts';
import { hello } from './hello.ts';
import { largeResult } from './large-result.ts';
import type { Measure } from './measure.ts';
import { mixed } from './mixed.ts';
import { profile } from './profile.ts';
import { resume } from './resume.ts';
import { sessions } from './sessions.ts';
import { start } from './start.ts';
import { streams } from './streams.ts';

/** In the order in which they run. */
export const measures: readonly Measure[] = [
  calls,
  hello,
  episodes,
  mixed,
  growth,
  start,
  largeResult,
  sessions,
  streams,
  resume,
  profile,
  endurance,
];
