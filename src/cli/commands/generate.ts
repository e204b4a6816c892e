import { oneLine } from '../../core/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';

const SUFFIXES = { js: '.js', ts: '.ts', none: '' } as const;

export const generateCommand = defineCommand({
  name: 'generate',
  arguments: [['<spec>', 'an OpenAPI 3 document or a JSON Schema, as YAML or JSON']],
  flags: {
    '--out <folder>': { help: 'folder to write to; created if missing', required: true },
    '--check': 'write nothing; exit with 1 and list the files in the folder that are stale',
    '--import-suffix <suffix>': {
      help: 'suffix of imports between the files',
      choices: ['js', 'ts', 'none'],
      default: 'js',
    },
    '--events-from <module>': 'module that the client imports decodeEvents from (default: ors-kit/openapi)',
  },
  examples: ['ors generate spec/ors.openapi.yaml --out src/generated'],
  async run(spec, { out, check, importSuffix, eventsFrom }) {
    const { GenerateError, generate, staleFiles, writeFiles } = await import('../../generate/index.ts');
    try {
      const files = await generate(spec, {
        importSuffix: SUFFIXES[importSuffix],
        ...(eventsFrom !== undefined && { eventsFrom }),
        onNotice: (message) => process.stderr.write(`ors: ${oneLine(message)}\n`),
      });
      if (check) {
        const stale = await staleFiles(out, files);
        if (stale.length > 0) throw new CliError(`stale: ${stale.join(', ')}; run the command without --check`);
        return;
      }
      await writeFiles(out, files);
      process.stdout.write(`wrote ${files.map(({ name }) => name).join(', ')} to ${out}\n`);
    } catch (cause) {
      throw cause instanceof GenerateError ? new CliError(cause.message, { cause }) : cause;
    }
  },
});
