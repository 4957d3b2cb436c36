import { AppError } from '../../kernel/errors.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { createRelationships, linkDefaults } from './create.ts';
import { derivedFromType } from './model.ts';
import { findLinksAmong, findLinksTo, type LinkEndpoints } from './store/edges.ts';

/** A memory, and one that it is derived from. */
interface Derivation {
  readonly memoryId: string;
  readonly sourceId: string;
}

/** Links that exist, or that exceed the relationships of a memory, are left out. */
const tolerated = new Set(['relationship_exists', 'quota_exceeded']);

/** Links memories to their sources. Throws the errors of a create for other reasons. */
export async function linkDerivations(
  inTx: TxCtx,
  derivations: readonly Derivation[],
): Promise<void> {
  const results = await createRelationships(
    inTx,
    derivations.map(({ memoryId, sourceId }) => ({
      sourceId: memoryId,
      type: derivedFromType,
      body: { target_id: sourceId, ...linkDefaults },
    })),
  );
  for (const result of results)
    if (result instanceof AppError && !tolerated.has(result.code)) throw result;
}

/** The memories that are derived from these sources. */
export async function findDerivedFrom(
  { tx, actor }: TxCtx,
  sourceIds: readonly string[],
): Promise<Derivation[]> {
  if (sourceIds.length === 0) return [];
  const links = await findLinksTo(tx, actor.accountId, sourceIds, derivedFromType);
  return links.map(toDerivation);
}

/** Which of these memories are derived from which. */
export async function findDerivationsAmong(
  { engine, actor }: Ctx,
  ids: readonly string[],
): Promise<Derivation[]> {
  const links = await findLinksAmong(engine.db, actor.accountId, ids, derivedFromType);
  return links.map(toDerivation);
}

const toDerivation = ({ source_id, target_id }: LinkEndpoints): Derivation => ({
  memoryId: source_id,
  sourceId: target_id,
});
