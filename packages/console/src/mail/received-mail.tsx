import type { Mail } from '@mneme/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { RowTitle } from '../ui/row-title.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toasts.tsx';

const pageItems = 50;
const refreshMs = 10_000;
const shownBodyCharactersMax = 10_000;

const tones: Readonly<Record<Mail['status'], string>> = {
  received: 'accent',
  processing: 'accent',
  completed: 'good',
  failed: 'danger',
  rejected: 'danger',
  rate_limited: 'warn',
};

export function ReceivedMail({ status }: { status: Mail['status'] | undefined }) {
  const client = useClient();
  const mails = useInfiniteQuery({
    queryKey: ['mail', 'received', status],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageItems, offset: pageParam, ...(status && { status }) };
      return client.email.listHistory({ query }, { signal });
    },
    getNextPageParam: ({ pagination }, pages) =>
      pagination.has_more ? pages.length * pageItems : undefined,
    refetchInterval: refreshMs,
  });
  if (mails.isError) return <ErrorNotice error={mails.error} retry={mails.refetch} />;
  if (mails.isPending) return <p className="hint">Loading…</p>;
  const all = mails.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) {
    return (
      <div className="empty">
        <Icon name="mail" />
        <h2>{status === undefined ? 'No mail yet' : 'No mail in this state'}</h2>
        <p>What is sent to the address of the account becomes a memory, and appears here.</p>
      </div>
    );
  }
  return (
    <>
      <ul className="rows">
        {all.map((mail) => (
          <MailRow key={mail.id} mail={mail} />
        ))}
      </ul>
      {mails.hasNextPage && (
        <Button onClick={() => void mails.fetchNextPage()}>Show older mail</Button>
      )}
    </>
  );
}

function MailRow({ mail }: { mail: Mail }) {
  const [isOpen, setIsOpen] = useState(false);
  const { sender, subject, status, reason } = mail;
  return (
    <li className="row-item row-open">
      <div>
        <RowTitle isOpen={isOpen} onToggle={setIsOpen}>
          {subject || '(no subject)'}
        </RowTitle>{' '}
        <span className="tag" data-tone={tones[status]}>
          {status.replaceAll('_', ' ')}
        </span>
        <p className="hint">
          from {sender} · <Time value={mail.created_at} isRelative />
        </p>
        {reason !== null && <p className="job-error">{reason}</p>}
      </div>
      {mail.response_memory_id !== null && (
        <Link className="button" to="/memories" search={{ id: mail.response_memory_id }}>
          Open memory
        </Link>
      )}
      {status === 'rejected' && <AllowSender sender={sender} />}
      {isOpen && <MailDetail mail={mail} />}
    </li>
  );
}

/** The way out of a rejection: later mail of the sender is accepted. */
function AllowSender({ sender }: { sender: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const allow = async () => {
    try {
      await client.email.addSender({ body: { email_pattern: sender, rule_type: 'allow' } });
      const undo = async () => {
        await client.email.removeSender({ params: { pattern: sender } });
      };
      toast({ text: `Later mail of ${sender} is accepted. This one must be sent again.`, undo });
    } catch (error) {
      toast({ text: (error as Error).message });
    }
    await queries.invalidateQueries({ queryKey: ['mail'] });
  };
  return (
    <Button writes onClick={allow}>
      Allow sender
    </Button>
  );
}

function MailDetail({ mail }: { mail: Mail }) {
  const { bodyPlain: body, parsedIntent: intent, authentication, verified, recipient } = mail;
  const checks = authentication && Object.entries(authentication);
  const properties: readonly (readonly [name: string, value: string])[] = [
    ['To', recipient],
    ...(intent ? [['Command', `${intent.command}, found in the ${intent.method}`] as const] : []),
    ['Verified', verified === null ? 'not checked' : verified ? 'yes' : 'no'],
    ...(checks ? [['Checks', checks.map((check) => check.join(': ')).join(', ')] as const] : []),
  ];
  return (
    <div className="row-detail">
      <dl className="property-list">
        {properties.map(([name, value]) => (
          <div key={name} className="property">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body !== '' && (
        <p className="mail-body" dir="auto">
          {body.slice(0, shownBodyCharactersMax)}
        </p>
      )}
    </div>
  );
}
