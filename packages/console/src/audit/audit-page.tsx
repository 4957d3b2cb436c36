import '../styles/settings.css';
import '../styles/operations.css';
import type { AuditEntry } from '@mneme/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { RowTitle } from '../ui/row-title.tsx';
import { Time } from '../ui/time.tsx';
import { auditActions } from './audit-state.ts';

const pageItems = 50;
const listedKeysMax = 100;

/** Who changed keys, webhooks and settings, newest first. */
export function AuditPage() {
  const client = useClient();
  const navigate = useNavigate();
  const { action } = useSearch({ from: '/audit' });
  const entries = useInfiniteQuery({
    queryKey: ['audit', action],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageItems, offset: pageParam, ...(action && { action }) };
      return client.account.audit({ query }, { signal });
    },
    getNextPageParam: ({ pagination }, pages) =>
      pagination.has_more ? pages.length * pageItems : undefined,
  });
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: ({ signal }) => client.keys.list({ query: { limit: listedKeysMax } }, { signal }),
  });
  const keyNames = useMemo(
    () => new Map(keys.data?.data.map(({ id, name }) => [id, name])),
    [keys.data],
  );
  const all = entries.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="page page-wide">
      <header className="section-head">
        <h1>Audit</h1>
        <select
          className="select select-short"
          aria-label="Action"
          value={action ?? ''}
          onChange={({ target }) =>
            void navigate({
              to: '/audit',
              search: { action: auditActions.find((one) => one === target.value) },
              replace: true,
            })
          }
        >
          <option value="">All actions</option>
          {auditActions.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </header>
      {entries.isError && <ErrorNotice error={entries.error} retry={entries.refetch} />}
      {entries.isPending && <p className="hint">Loading…</p>}
      {entries.data && all.length === 0 && <p className="hint">No such changes.</p>}
      <ul className="rows">
        {all.map((entry) => (
          <AuditRow key={entry.id} entry={entry} keyNames={keyNames} />
        ))}
      </ul>
      {entries.hasNextPage && (
        <Button onClick={() => void entries.fetchNextPage()}>Show older changes</Button>
      )}
    </div>
  );
}

interface AuditRowProps {
  readonly entry: AuditEntry;
  readonly keyNames: ReadonlyMap<string, string>;
}

/** Who did it, as a name if the key still exists. */
function actorOf({ actor }: AuditEntry, keyNames: ReadonlyMap<string, string>): string {
  if (actor === null) return 'the service';
  const { key_id: key } = actor;
  if (key === null) return 'an operator';
  const name = keyNames.get(key);
  return name === undefined ? `key ${key}` : `key “${name}”`;
}

function AuditRow({ entry, keyNames }: AuditRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="row-item row-open">
      <div>
        <RowTitle isOpen={isOpen} onToggle={setIsOpen}>
          {entry.action}
        </RowTitle>
        <p className="hint">by {actorOf(entry, keyNames)}</p>
      </div>
      <Time value={entry.created_at} />
      {isOpen && (
        <div className="row-detail">
          <p className="hint">
            Target <code>{entry.target_id}</code>, request <code>{entry.request_id}</code>
          </p>
          <JsonView value={entry.details} />
        </div>
      )}
    </li>
  );
}
