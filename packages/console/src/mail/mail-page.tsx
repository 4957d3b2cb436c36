import '../styles/settings.css';
import '../styles/operations.css';
import { isMnemeError } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useClient } from '../session/session-context.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Segments } from '../ui/segments.tsx';
import { StatusSelect } from '../ui/status-select.tsx';
import { type MailSearch, mailViews, receivedStatuses, sentStatuses } from './mail-state.ts';
import { ReceivedMail } from './received-mail.tsx';
import { SentMail } from './sent-mail.tsx';

/** Mail that came in and went out, with its state and the way out of failures. */
export function MailPage() {
  const search = useSearch({ from: '/mail' });
  const navigate = useNavigate();
  const change = (next: MailSearch) =>
    void navigate({ to: '/mail', search: { ...search, ...next }, replace: true });
  const isSent = search.view === 'sent';
  return (
    <div className="page page-wide">
      <header className="section-head">
        <h1>Mail</h1>
        <Address />
      </header>
      <div className="section-head">
        <Segments
          label="View"
          value={isSent ? 'sent' : 'received'}
          options={mailViews}
          onChange={(view) => change({ view: view === 'sent' ? view : undefined })}
        />
        {isSent ? (
          <StatusSelect
            status={search.sent}
            statuses={sentStatuses}
            onChange={(sent) => change({ sent })}
          />
        ) : (
          <StatusSelect
            status={search.received}
            statuses={receivedStatuses}
            onChange={(received) => change({ received })}
          />
        )}
      </div>
      {isSent ? <SentMail status={search.sent} /> : <ReceivedMail status={search.received} />}
    </div>
  );
}

/** Where mail becomes memories. */
function Address() {
  const client = useClient();
  const address = useQuery({
    queryKey: ['mail', 'address'],
    queryFn: ({ signal }) => client.email.getAddress({}, { signal }),
  });
  if (isMnemeError(address.error, 'not_found')) {
    return <p className="hint">No address yet: mneme mail create-address</p>;
  }
  if (!address.data) return null;
  return (
    <div className="section-actions">
      <code className="mail-address">{address.data.email}</code>
      <CopyButton text={address.data.email} label="Copy address" />
    </div>
  );
}
