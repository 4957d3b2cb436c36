import {
  type Engine,
  findDamagedPages,
  pagesPerBatch,
  readNextRelation,
} from '../database/index.ts';
import type { CheckResult } from '../domains/operations/index.ts';

const pageBytes = 8_192;
const mb = 2 ** 20;

/**
 * Reads all pages of tables and indexes. The engine records damaged pages until they are
 * acknowledged. `onProgress` receives the number of MB read.
 */
export async function checkDatabasePages(
  engine: Engine,
  onProgress: (megabytes: number) => void,
): Promise<CheckResult> {
  let pages = 0;
  let damaged = 0;
  for (let relation = await readNextRelation(engine, 0); relation !== null; ) {
    for (let from = 0; from < Math.max(relation.pages, 1); from += pagesPerBatch) {
      for (const { page, message } of await findDamagedPages(engine, relation, from)) {
        damaged += 1;
        const where = `page ${page} of ${relation.name}`;
        engine.integrity.recordDamagedPage(`${where} cannot be read (${message})`);
      }
      pages += Math.min(pagesPerBatch, relation.pages - from);
      onProgress(Math.floor((pages * pageBytes) / mb));
    }
    relation = await readNextRelation(engine, relation.oid);
  }
  const read = `${pages} pages read`;
  return { detail: damaged === 0 ? read : `${read}, ${damaged} damaged` };
}
