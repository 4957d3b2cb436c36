import type { Plan } from '@mneme/contract';
import type { ApiClient } from './api-client.ts';

/** An account with keys of its own. */
export interface Tenant {
  readonly id: string;
  readonly keys: readonly string[];
}

/** Accounts with so many keys each, made by the operator. */
export async function createTenants(
  operator: ApiClient,
  plan: Plan,
  { count, keysEach }: { readonly count: number; readonly keysEach: number },
): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let i = 0; i < count; i += 1) {
    const path = '/admin/accounts';
    const body = { name: `${plan} ${i}`, plan };
    const { responses } = await operator.run([{ method: 'POST', path, body }]);
    const { id } = responses[0] as { id: string };
    const keyed = await operator.run(
      Array.from({ length: keysEach }, (_, number) => ({
        method: 'POST',
        path: `${path}/${id}/keys`,
        body: { name: `key ${number}` },
      })),
    );
    tenants.push({ id, keys: (keyed.responses as { key: string }[]).map(({ key }) => key) });
  }
  return tenants;
}
