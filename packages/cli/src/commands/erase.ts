import { confirm } from '../requests/confirm.ts';
import type { OperationCall } from '../requests/operation-call.ts';
import { waitForResult } from '../requests/wait.ts';

/**
 * `mneme memories erase`: counts with the dry run of the API, asks, and erases exactly what was
 * counted. With --dry-run the count is the result.
 */
export async function callErase(call: OperationCall): Promise<unknown> {
  const { context, client, options, input } = call;
  const body = { filter: {}, ...(input.body as object) };
  const counted = await client.memories.erase({ body: { ...body, dry_run: true } });
  if (!('token' in counted)) return counted;
  const { count, hard_protected, token } = counted;
  if (options.dryRun || count === 0) return { count, hard_protected };
  const memories = count === 1 ? 'memory' : 'memories';
  await confirm(context, `Permanently erase ${count} ${memories}`, options.yes ?? false);
  const queued = await client.memories.erase({ body: { ...body, token } });
  return options.wait ? waitForResult(call, queued) : queued;
}
