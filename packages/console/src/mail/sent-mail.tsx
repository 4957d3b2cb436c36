import type { OutboundMail } from '@mneme/sdk';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toasts.tsx';

const pageItems = 50;
const suppressionsMax = 100;
const refreshMs = 10_000;

const tones: Readonly<Record<OutboundMail['status'], string>> = {
  queued: 'accent',
  sending: 'accent',
  sent: 'good',
  failed: 'danger',
  bounced: 'danger',
};

const kinds: Readonly<Record<OutboundMail['kind'], string>> = {
  answer: 'reply',
  reaction: 'reaction',
  digest: 'digest',
};

export function SentMail({ status }: { status: OutboundMail['status'] | undefined }) {
  const client = useClient();
  const mails = useInfiniteQuery({
    queryKey: ['mail', 'sent', status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageItems, cursor: pageParam, ...(status && { status }) };
      return client.email.listOutbound({ query }, { signal });
    },
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    refetchInterval: refreshMs,
  });
  const suppressions = useQuery({
    queryKey: ['mail', 'suppressions'],
    queryFn: ({ signal }) =>
      client.email.listSuppressions({ query: { limit: suppressionsMax } }, { signal }),
  });
  if (mails.isError) return <ErrorNotice error={mails.error} retry={mails.refetch} />;
  if (mails.isPending) return <p className="hint">Loading…</p>;
  const suppressed = new Map(suppressions.data?.data.map(({ email, reason }) => [email, reason]));
  const all = mails.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) {
    return (
      <div className="empty">
        <Icon name="mail" />
        <h2>{status === undefined ? 'Nothing was sent yet' : 'No mail in this state'}</h2>
        <p>Replies, reactions and digests appear here with their state.</p>
      </div>
    );
  }
  return (
    <>
      <ul className="rows">
        {all.map((mail) => (
          <li key={mail.id} className="row-item row-open">
            <div>
              <strong dir="auto">{mail.subject}</strong>{' '}
              <span className="tag" data-tone={tones[mail.status]}>
                {mail.status}
              </span>{' '}
              <span className="tag">{kinds[mail.kind]}</span>
              <p className="hint">
                to {mail.recipient} · <Time value={mail.created_at} isRelative />
                {mail.attempts > 1 && ` · attempt ${mail.attempts}`}
                {mail.next_attempt_at !== null && (
                  <>
                    {' · next attempt '}
                    <Time value={mail.next_attempt_at} isRelative />
                  </>
                )}
              </p>
              {mail.last_error !== null && <p className="job-error">{mail.last_error}</p>}
            </div>
            {mail.is_retryable && <RetryButton id={mail.id} />}
            {suppressed.has(mail.recipient.toLowerCase()) && (
              <Unsuppress
                email={mail.recipient.toLowerCase()}
                reason={suppressed.get(mail.recipient.toLowerCase()) ?? ''}
              />
            )}
          </li>
        ))}
      </ul>
      {mails.hasNextPage && (
        <Button onClick={() => void mails.fetchNextPage()}>Show older mail</Button>
      )}
    </>
  );
}

/** Sends a mail again that failed for good. */
function RetryButton({ id }: { id: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const retry = async () => {
    setIsBusy(true);
    try {
      const { recipient } = await client.email.retryOutbound({ params: { id } });
      toast({ text: `The mail to ${recipient} is sent again.` });
    } catch (error) {
      toast({ text: (error as Error).message });
    }
    await queries.invalidateQueries({ queryKey: ['mail'] });
    setIsBusy(false);
  };
  return (
    <Button writes icon="restore" disabled={isBusy} onClick={retry}>
      Retry
    </Button>
  );
}

/** The way out of a bounce: the address receives reactions and digests again. */
function Unsuppress({ email, reason }: { email: string; reason: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const remove = async () => {
    try {
      await client.email.removeSuppression({ params: { email } });
      toast({ text: `${email} receives reactions and digests again.` });
    } catch (error) {
      toast({ text: (error as Error).message });
    }
    await queries.invalidateQueries({ queryKey: ['mail'] });
  };
  return (
    <div className="row-figures">
      <span className="hint">no further mail: {reason}</span>
      <Button writes onClick={remove}>
        Send to it again
      </Button>
    </div>
  );
}
