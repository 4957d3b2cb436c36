import type { BlobStore } from '../../../providers/blobs/index.ts';
import type { CheckResult } from './report.ts';

/** Whether the blob store can be read and written, in its folder or bucket. */
export async function checkBlobs(blobs: Pick<BlobStore, 'check'>): Promise<CheckResult> {
  try {
    await blobs.check();
    return {};
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error && cause.message !== message ? ` (${cause.message})` : '';
    return {
      problems: [
        {
          kind: 'unreachable_blobs',
          severity: 'error',
          message: `The blob store cannot be accessed: ${message}${reason}.`,
          action:
            'Check that the bucket of MNEME_S3_BUCKET is reachable, or that the folder `blobs` ' +
            'of the data folder belongs to the user of the server.',
        },
      ],
    };
  }
}
