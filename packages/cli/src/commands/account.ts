import type { Client } from '@mneme/sdk';
import type { Command } from 'commander';
import { type Context, printResult } from '../context.ts';
import { formatTable } from '../format.ts';
import { addCommand } from '../options.ts';

type Account = Awaited<ReturnType<Client['account']['get']>>;

/** `mneme account`: what the key's own plan allows, and what is used of it. */
export function registerAccountCommand(program: Command, context: Context): void {
  addCommand(program, 'account', "show the key's account with its limits and usage").action(
    async (options: { json?: boolean }) => {
      const { account } = await context.client();
      const own = await account.get();
      printResult(context, options, own, () => describeAccount(own));
    },
  );
}

function describeAccount({ id, name, plan, limits, usage, contact_email }: Account): string[] {
  const of = (used: number, most: number | null): string =>
    most === null ? `${used}` : `${used} of ${most}`;
  const most = (limit: number | null): string => (limit === null ? 'unlimited' : `${limit}`);
  return formatTable([
    ['id', id],
    ['name', name],
    ['plan', plan],
    ['contact', contact_email],
    ['requests a minute', most(limits.requests_per_minute)],
    ['requests a day', most(limits.requests_per_day)],
    ['at the same time', most(limits.concurrent_requests)],
    ['memories', of(usage.memories, limits.memories)],
    ['spaces', of(usage.spaces, limits.spaces)],
    ['API keys', of(usage.api_keys, limits.api_keys)],
    ['webhooks', of(usage.webhooks, limits.webhooks)],
    [`searches in ${usage.period}`, of(usage.searches, limits.searches_per_month)],
    [`embeddings in ${usage.period}`, of(usage.embeddings, limits.embeddings_per_month)],
  ]);
}
