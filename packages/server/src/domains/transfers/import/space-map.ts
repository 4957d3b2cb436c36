import type { ArchiveRecord } from '@mneme/contract';
import type { TxCtx } from '../../ctx.ts';
import type { ImportOptions, ImportOutcome } from '../../import-outcome.ts';
import { findSpace, findSpaceIdsByName, importSpace } from '../../spaces/index.ts';
import type { IdMap } from './id-map.ts';

export const accountLevelName = 'default';
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where the content of spaces of the archive goes. Undefined: the space was not imported. */
export class SpaceMap {
  readonly #ids: IdMap;
  readonly #requested: Readonly<Record<string, string>>;
  readonly #known = new Map<string | null, string | null | undefined>();

  constructor(ids: IdMap, requested: Readonly<Record<string, string>>) {
    this.#ids = ids;
    this.#requested = requested;
  }

  /** Stores a space of the archive, or finds the one that takes its content. */
  async add(
    inTx: TxCtx,
    record: ArchiveRecord<'spaces'>,
    options: ImportOptions,
  ): Promise<ImportOutcome> {
    const requested = this.#requested[record.id] ?? this.#requested[record.name];
    const id = this.#ids.ownId(record.id);
    if (requested !== undefined) {
      const existing = await findRequested(inTx, requested);
      if (existing !== undefined) {
        this.#known.set(record.id, existing);
        return 'unchanged';
      }
    }
    const name = requested ?? record.name;
    // Another space than the one that the archive's id stands for.
    const ownId = requested === undefined ? id : this.#ids.ownId(`${id.slice(0, 35)}f`);
    const space = { ...record, name, id: ownId, account_id: inTx.actor.accountId };
    const imported = await importSpace(inTx, space, options);
    this.#known.set(record.id, imported.id ?? undefined);
    return imported.outcome;
  }

  /** Of an id in the archive; null: the account level. */
  async get(
    inTx: Pick<TxCtx, 'tx' | 'actor'>,
    id: string | null,
  ): Promise<string | null | undefined> {
    if (this.#known.has(id)) return this.#known.get(id);
    const found = await this.#find(inTx, id);
    this.#known.set(id, found);
    return found;
  }

  async #find(
    inTx: Pick<TxCtx, 'tx' | 'actor'>,
    id: string | null,
  ): Promise<string | null | undefined> {
    const requested = this.#requested[id ?? accountLevelName];
    if (requested !== undefined) return findRequested(inTx, requested);
    if (id === null) return null;
    // The key that made the archive could not read spaces.
    return (await findSpace(inTx.tx, inTx.actor.accountId, this.#ids.ownId(id)))?.id;
  }
}

/** A space of the account by name or id, null for the account level; undefined: there is none. */
export async function findRequested(
  { tx, actor }: Pick<TxCtx, 'tx' | 'actor'>,
  name: string,
): Promise<string | null | undefined> {
  if (name === accountLevelName) return null;
  const byName = await findSpaceIdsByName(tx, actor.accountId, [name]);
  const id = byName.get(name);
  if (id !== undefined || !uuidPattern.test(name)) return id;
  return (await findSpace(tx, actor.accountId, name.toLowerCase()))?.id;
}
