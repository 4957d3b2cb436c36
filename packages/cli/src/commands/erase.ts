import { pluralize } from '../format.ts';
import { confirm } from '../requests/confirm.ts';
import type { OperationCall } from '../requests/operation-call.ts';
import { waitForResult } from '../requests/wait.ts';

/**
 * `mneme memories erase`: counts with the dry run of the API, asks, and erases exactly what was
 * counted. With --dry-run the counts are the result.
 */
export async function callErase(call: OperationCall): Promise<unknown> {
  const { context, client, options, input } = call;
  const body = { filter: {}, ...(input.body as object) };
  const counted = await client.memories.erase({ body: { ...body, dry_run: true } });
  if (!('token' in counted)) return counted;
  const { count, hard_protected, mails, uploads, token } = counted;
  const isNothing = count + mails + uploads === 0;
  if (options.dryRun || isNothing) return { count, hard_protected, mails, uploads };
  const question = `Permanently erase ${describeCounts({ count, mails, uploads })}`;
  await confirm(context, question, options.yes ?? false);
  const queued = await client.memories.erase({ body: { ...body, token } });
  return options.wait ? waitForResult(call, queued) : queued;
}

interface Counts {
  readonly count: number;
  readonly mails: number;
  readonly uploads: number;
}

/** `2 memories, 1 mail`. */
const describeCounts = ({ count, mails, uploads }: Counts): string =>
  [
    count === 1 ? '1 memory' : `${count} memories`,
    ...(mails > 0 ? [pluralize(mails, 'mail')] : []),
    ...(uploads > 0 ? [pluralize(uploads, 'upload')] : []),
  ].join(', ');
