import { useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionsQuery } from '../api/queries.ts';
import { sessionStore, useClient, useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toasts.tsx';

export function SessionsSection() {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const current = useSession();
  const query = sessionsQuery(client);
  const sessions = useQuery(query);
  const revoke = async (id: string) => {
    try {
      await client.auth.revokeToken({ params: { id } });
      if (id === current?.id) sessionStore.end(null);
      await queries.invalidateQueries({ queryKey: query.queryKey });
      toast({ text: 'Session ended.' });
    } catch (error) {
      toast({ text: (error as Error).message });
    }
  };
  return (
    <section className="section" aria-labelledby="sessions-title">
      <div className="section-head">
        <div>
          <h2 id="sessions-title">Sessions</h2>
          <p className="hint">Browsers that are signed in, and tokens that programs created.</p>
        </div>
      </div>
      {sessions.isError && <ErrorNotice error={sessions.error} retry={sessions.refetch} />}
      <ul className="rows">
        {sessions.data?.data.map(
          ({ id, created_at, expires_at, renewable_until, user_id, scopes }) => (
            <li key={id} className="row-item">
              <div>
                <strong>
                  Started <Time value={created_at} isRelative />
                </strong>{' '}
                {id === current?.id && (
                  <span className="tag" data-tone="accent">
                    this browser
                  </span>
                )}
                <p className="hint">
                  Ends <Time value={renewable_until ?? expires_at} isRelative />
                  {user_id !== null && `, only memories of ${user_id}`}
                  {scopes !== null && `, limited to ${scopes.join(', ')}`}
                </p>
              </div>
              <Button onClick={() => revoke(id)}>End</Button>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
