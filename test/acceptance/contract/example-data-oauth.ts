import type { Route } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import type { Service } from '../../support/service.ts';

export const oauthSampleIds = { grant: '019b8d1c-3a57-7b81-8283-8495a6b7c8d9' } as const;

const dayMs = 86_400_000;

export async function createGrantExampleData(
  service: Service,
  client: Client,
  route: Route,
  holder: { key: string; space: string | undefined },
): Promise<{ grant: string }> {
  if (!route.id.startsWith('grants.')) return { grant: '' };
  return { grant: await storeGrant(service, client, holder) };
}

/**
 * A grant of a key, as the consent page stores it: the service of these tests has no public URL,
 * which would change links in other examples.
 */
export async function storeGrant(
  service: Service,
  client: Client,
  { key, space }: { key: string; space?: string | undefined },
): Promise<string> {
  const { clock, engine, ids } = service.running.context.app;
  const grant = ids.uuid();
  const now = clock.now();
  await engine.db
    .insertInto('oauth_grants')
    .values({
      account_id: (await client.account.get()).id,
      id: grant,
      key_id: key,
      key_fingerprint: 'of the secret',
      client_id: 'https://client.example.com/oauth/client.json',
      client_name: 'Example client',
      resource: 'https://mneme.example.org/mcp',
      scopes: ['memories:read', 'search:read'],
      space_ids: space === undefined ? null : [space],
      user_id: null,
      code_hash: ids.bytes(32),
      code_challenge: '',
      redirect_uri: 'https://client.example.com/callback',
      code_expires_at: now,
      redeemed_at: now,
      created_at: now,
      expires_at: new Date(now.getTime() + 30 * dayMs),
      revoked_at: null,
    })
    .execute();
  return grant;
}
