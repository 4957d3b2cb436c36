import { type Owner, type OwnerFilter, ownerNames } from '@mneme/contract';

export const toOwner = ({ user_id, agent_id, run_id }: OwnerFilter): Owner => ({
  user_id: user_id ?? null,
  agent_id: agent_id ?? null,
  run_id: run_id ?? null,
});

/** The names that are set: fields of a create, and filters of a search. */
export const toOwnerFields = ({ user_id, agent_id, run_id }: Owner): OwnerFilter => ({
  ...(user_id !== null && { user_id }),
  ...(agent_id !== null && { agent_id }),
  ...(run_id !== null && { run_id }),
});

/** Whether each name that the owner has is that of the memory. */
export const isOwnedBy = (owner: Owner, memory: Owner): boolean =>
  ownerNames.every((name) => owner[name] === null || owner[name] === memory[name]);

/**
 * The owner of a mail whose sender a rule allows: what either of the two names. Null if they name
 * different ones, since the rule then allows no mail of this owner.
 */
export function combineOwners(mail: Owner, rule: Owner): Owner | null {
  if (ownerNames.some((name) => (mail[name] ?? rule[name]) !== (rule[name] ?? mail[name])))
    return null;
  return {
    user_id: mail.user_id ?? rule.user_id,
    agent_id: mail.agent_id ?? rule.agent_id,
    run_id: mail.run_id ?? rule.run_id,
  };
}
