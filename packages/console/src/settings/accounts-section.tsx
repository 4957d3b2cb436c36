import { type AccountState, isMnemeError } from '@mneme/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { systemNowMs } from '../kernel.ts';
import { readScopes } from '../session/session.ts';
import { sessionStore, useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useToast } from '../ui/toasts.tsx';

const pageSize = 50;
const keyMs = 12 * 3_600_000;

/** For operators: opens another account. It is audited there, with the key that it creates. */
export function AccountsSection() {
  const client = useClient();
  const accounts = useInfiniteQuery({
    queryKey: ['accounts'],
    queryFn: ({ pageParam, signal }) =>
      client.admin.listAccounts({ query: { limit: pageSize, offset: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination }, pages) =>
      pagination.has_more ? pages.length * pageSize : undefined,
  });
  // Everybody else has one account.
  if (accounts.isPending || isMnemeError(accounts.error, 'insufficient_permissions')) return null;
  const rows = accounts.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section className="section" aria-labelledby="accounts-title">
      <div className="section-head">
        <div>
          <h2 id="accounts-title">Accounts</h2>
          <p className="hint">
            Opening an account creates a key in it, which expires after 12 hours. Its audit log
            shows the key.
          </p>
        </div>
      </div>
      {accounts.isError && <ErrorNotice error={accounts.error} retry={accounts.refetch} />}
      <ul className="rows">
        {rows.map((account) => (
          <AccountRow key={account.id} account={account} />
        ))}
      </ul>
      {accounts.hasNextPage && (
        <Button onClick={() => void accounts.fetchNextPage()}>Show more accounts</Button>
      )}
    </section>
  );
}

function AccountRow({ account: { id, name, plan, suspended } }: { account: AccountState }) {
  const client = useClient();
  const navigate = useNavigate();
  const toast = useToast();
  const open = async (isReadOnly: boolean) => {
    try {
      const expires_at = new Date(systemNowMs() + keyMs).toISOString();
      const scopes = isReadOnly ? { scopes: readScopes } : {};
      const body = { name: 'Console of the operator', expires_at, ...scopes };
      const { key } = await client.admin.createKey({ params: { id }, body });
      await navigate({ to: '/memories' });
      await sessionStore.openAccount(key, name, isReadOnly);
    } catch (error) {
      toast({ text: (error as Error).message });
    }
  };
  return (
    <li className="row-item">
      <div>
        <strong>{name}</strong>
        <p className="hint">
          {plan}
          {suspended && ', suspended'}
        </p>
      </div>
      <div className="row-actions">
        <Button onClick={() => void open(true)} aria-label={`Look around in ${name}`}>
          Look around
        </Button>
        <Button
          kind="quiet"
          onClick={() => void open(false)}
          aria-label={`Open with all rights: ${name}`}
        >
          Open with all rights
        </Button>
      </div>
    </li>
  );
}
