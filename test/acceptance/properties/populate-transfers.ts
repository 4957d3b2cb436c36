import type { Client } from '@mneme/sdk';
import type { Service } from '../../support/service.ts';
import type { CompleteRequest } from './populate-mail.ts';

/** Makes imports that have ended, and returns requests that begin another one. */
export async function createTransferData(
  service: Service,
  client: Client,
  ids: Map<string, string[]>,
): Promise<Readonly<Record<string, readonly CompleteRequest[]>>> {
  const source = await service.createAccount();
  await source.client.memories.create({ body: { content: 'The imported coffee machine.' } });
  const archive = await source.client.transfers.export();
  const body = new Uint8Array(await archive.arrayBuffer());
  const imports: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    imports.push((await client.transfers.import({ body })).import_id);
    await service.running.context.worker.drain();
  }
  const headers = { 'content-type': 'application/gzip' };
  const request = (path: string, query: string) => ({ path, query, headers, body });
  ids.set('imports', imports);
  return {
    'transfers.import': [request('/import', ''), request('/import', '?dry_run=true')],
    'admin.import': [
      request('/admin/import', `?account_id=${source.id}`),
      request('/admin/import', ''),
    ],
  };
}
