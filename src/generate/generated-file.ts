/** A file to write. */
export interface GeneratedFile {
  /** File name inside of the output folder. */
  readonly name: string;
  readonly text: string;
}

export interface GenerateOptions {
  /** What the files are named after. Default: the name of the specification without endings: `ors` of `ors.openapi.yaml`. */
  readonly name?: string;
  /** Ending of imports between generated files. Default: `.js`. */
  readonly importSuffix?: '.js' | '.ts' | '';
  /** Where the client imports the decoder of Server-Sent Events from. Default: `ors-kit/openapi`. */
  readonly eventsFrom?: string;
  /** Names of the schemas that get a validator. Default: all. */
  readonly validators?: readonly string[];
}

/** What stands at the head of everything that is generated from a file. */
export const headerFor = (file: string): string => `generated from ${file} by ors generate; never edit`;
