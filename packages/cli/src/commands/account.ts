import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type CommandContext, printResult } from '../context.ts';
import { formatTable } from '../format.ts';
import { addOutputOptions } from '../options.ts';

type Account = Awaited<ReturnType<Client['account']['get']>>;

/** `mneme account`: the limits of the key's account and its usage. */
export function fillAccountCommand(command: Command, context: CommandContext): void {
  addOutputOptions(command).action(async (options: { json?: boolean }) => {
    const { account } = await context.client();
    const current = await account.get();
    printResult(context, options, current, () => describeAccount(current));
  });
}

function describeAccount({ id, name, plan, limits, usage, contact_email }: Account): string[] {
  const usedOf = (used: number, limit: number | null): string =>
    limit === null ? `${used}` : `${used} of ${limit}`;
  const formatLimit = (limit: number | null): string => (limit === null ? 'unlimited' : `${limit}`);
  return formatTable([
    ['id', id],
    ['name', name],
    ['plan', plan],
    ['contact', contact_email],
    ['requests per minute', formatLimit(limits.requests_per_minute)],
    ['requests per day', formatLimit(limits.requests_per_day)],
    ['concurrent requests', formatLimit(limits.concurrent_requests)],
    ['memories', usedOf(usage.memories, limits.memories)],
    ['spaces', usedOf(usage.spaces, limits.spaces)],
    ['API keys', usedOf(usage.api_keys, limits.api_keys)],
    ['webhooks', usedOf(usage.webhooks, limits.webhooks)],
    [`searches in ${usage.period}`, usedOf(usage.searches, limits.searches_per_month)],
    [`embeddings in ${usage.period}`, usedOf(usage.embeddings, limits.embeddings_per_month)],
  ]);
}
