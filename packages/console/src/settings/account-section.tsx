import type { Account } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/queries.ts';
import { useClient } from '../session/session-context.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

const counters = [
  ['Memories', 'memories', 'memories'],
  ['Spaces', 'spaces', 'spaces'],
  ['API keys', 'api_keys', 'api_keys'],
  ['Webhooks', 'webhooks', 'webhooks'],
  ['Searches this month', 'searches', 'searches_per_month'],
  ['Embeddings this month', 'embeddings', 'embeddings_per_month'],
] as const;

/** From this part of a limit on, its bar is red. */
const nearLimit = 0.9;

const describe = ({ name, plan, embedding }: Account): string =>
  `${name}, plan ${plan}. Searched by ${embedding.model}.`;

export function AccountSection() {
  const client = useClient();
  const account = useQuery(accountQuery(client));
  return (
    <section className="section" aria-labelledby="account-title">
      <div className="section-head">
        <div>
          <h2 id="account-title">Plan and usage</h2>
          <p className="hint">{account.data ? describe(account.data) : 'Loading…'}</p>
        </div>
      </div>
      {account.isError && <ErrorNotice error={account.error} retry={account.refetch} />}
      {account.data && <Usage account={account.data} />}
    </section>
  );
}

const Usage = ({ account: { usage, limits } }: { account: Account }) => (
  <dl className="usage">
    {counters.map(([name, counter, limitName]) => {
      const [used, limit] = [usage[counter], limits[limitName]];
      const ratio = limit === null ? 0 : Math.min(1, used / Math.max(limit, 1));
      return (
        <div key={counter}>
          <dt>{name}</dt>
          <dd>
            <strong>{used.toLocaleString()}</strong>{' '}
            <span className="hint">
              {limit === null ? 'no limit' : `of ${limit.toLocaleString()}`}
            </span>
            {limit !== null && (
              <span className="meter" data-tone={ratio >= nearLimit ? 'danger' : undefined}>
                <i style={{ width: `${ratio * 100}%` }} />
              </span>
            )}
          </dd>
        </div>
      );
    })}
  </dl>
);
