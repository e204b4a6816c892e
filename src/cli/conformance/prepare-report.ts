import { makeWritableFolder } from '../../conformance/index.ts';
import { errorMessage } from '../../core/index.ts';
import { usageError } from './usage.ts';

/** Makes the folder of a report before anything else, for a run may take long. @throws Failure where it cannot be made. */
export async function prepareReport(folder: string): Promise<void> {
  try {
    await makeWritableFolder(folder);
  } catch (error) {
    throw usageError(`--report: nothing can be written to '${folder}': ${errorMessage(error)}; name a folder`);
  }
}
