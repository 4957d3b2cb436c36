import type { Client, Import } from '@mneme/sdk';
import type { Service } from '../../support/service.ts';

/** The bytes of an export. */
export async function exportBytes(
  client: Client,
  query: Parameters<Client['transfers']['export']>[0] extends { query?: infer Q } | undefined
    ? Q
    : never = {},
): Promise<Uint8Array> {
  const response = await client.transfers.export({ query });
  return new Uint8Array(await response.arrayBuffer());
}

type ImportQuery = NonNullable<Parameters<Client['transfers']['import']>[0]['query']>;

/** Imports an archive and waits for its report. */
export async function importBytes(
  service: Service,
  client: Client,
  body: Uint8Array,
  query: ImportQuery = {},
): Promise<Import> {
  const { import_id: id } = await client.transfers.import({ body, query });
  await service.running.context.worker.drain();
  await service.running.context.worker.drain();
  return client.transfers.getImport({ params: { id } });
}

/** Counts of a report by kind. */
export const countsOf = ({ records }: Import) =>
  Object.fromEntries(
    records.map(({ kind, created, updated, unchanged, skipped }) => [
      kind,
      { created, updated, unchanged, skipped },
    ]),
  );
