import { Command, Option } from 'commander';
import type { GenerateOptions } from '../../generate/index.ts';

interface Flags {
  readonly out: string;
  readonly check?: true;
  readonly importSuffix: 'js' | 'ts' | 'none';
  readonly eventsFrom?: string;
}

const SUFFIXES = { js: '.js', ts: '.ts', none: '' } as const;

/** `ors generate <spec> --out <folder>`. */
export function generateCommand(): Command {
  return new Command('generate')
    .description('write types, operation table, validators and a typed client from a specification')
    .argument('<spec>', 'an OpenAPI 3 document or a JSON Schema, YAML or JSON')
    .requiredOption('--out <folder>', 'folder to write into; it is made if it is not there')
    .option('--check', 'write nothing; exit with 1 and name the files in the folder that are stale')
    .addOption(
      new Option('--import-suffix <suffix>', 'ending of imports between the files')
        .choices(['js', 'ts', 'none'])
        .default('js'),
    )
    .option('--events-from <module>', 'where the client imports decodeEvents from (default: ors-kit/openapi)')
    .addHelpText('after', '\nExample:\n  $ ors generate spec/ors.openapi.yaml --out src/generated')
    .action(run);
}

async function run(spec: string, flags: Flags, command: Command): Promise<void> {
  const { GenerateError, generate, staleFiles, writeFiles } = await import('../../generate/index.ts');
  const options: GenerateOptions = {
    importSuffix: SUFFIXES[flags.importSuffix],
    ...(flags.eventsFrom !== undefined && { eventsFrom: flags.eventsFrom }),
  };
  try {
    const files = await generate(spec, options);
    if (flags.check) {
      const stale = await staleFiles(flags.out, files);
      if (stale.length > 0) throw new GenerateError(`stale: ${stale.join(', ')}; run the command without --check`);
      return;
    }
    await writeFiles(flags.out, files);
    command.configureOutput().writeOut?.(`wrote ${files.map(({ name }) => name).join(', ')} into ${flags.out}\n`);
  } catch (error) {
    if (!(error instanceof GenerateError)) throw error;
    command.error(error.message, { exitCode: 1 });
  }
}
