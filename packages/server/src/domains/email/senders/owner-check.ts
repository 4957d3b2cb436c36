import { type ConsistencyCheck, createSingleStepCheck } from '../../consistency-check.ts';
import { withTransaction } from '../../ctx.ts';
import { clearOwners, findOwnedBlockRules } from './store/sender-rules.ts';

/** A rule that blocks senders has no owner. */
export const senderRuleCheck: ConsistencyCheck = {
  ...createSingleStepCheck('sender_rules', async ({ actor }, tx) => {
    const message = 'the rule blocks senders, and has an owner';
    const ids = await findOwnedBlockRules(tx, actor.accountId);
    return ids.map((id) => ({ code: 'owner_of_block', id, message }));
  }),
  async repair(ctx, inconsistencies) {
    const ids = inconsistencies.flatMap(({ id }) => id ?? []);
    await withTransaction(ctx, ({ tx, actor }) => clearOwners(tx, actor.accountId, ids));
    return new Set(ids);
  },
};
