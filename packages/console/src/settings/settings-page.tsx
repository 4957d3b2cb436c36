import '../styles/settings.css';
import { useQuery } from '@tanstack/react-query';
import { accountQuery, keysQuery, sessionsQuery, spacesQuery } from '../api/queries.ts';
import { useClient } from '../session/session-context.tsx';
import { useIsReadOnly } from '../ui/read-only.ts';
import { AccountSection } from './account-section.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SpacesSection } from './spaces-section.tsx';
import { TransferSection } from './transfer-section.tsx';

/** Whether the sections have what they show: one that grew later would move those below it. */
function useIsLoading(isReadOnly: boolean): boolean {
  const client = useClient();
  const account = useQuery(accountQuery(client));
  const keys = useQuery({ ...keysQuery(client), enabled: !isReadOnly });
  const sessions = useQuery(sessionsQuery(client));
  const spaces = useQuery(spacesQuery(client));
  return [account, keys, sessions, spaces].some(({ isLoading }) => isLoading);
}

/** Keys and transfers require the scope admin, which a session that only reads does not have. */
export function SettingsPage() {
  const isReadOnly = useIsReadOnly();
  if (useIsLoading(isReadOnly)) {
    return (
      <div className="page">
        <h1>Settings</h1>
        <p className="hint" role="status">
          Loading…
        </p>
      </div>
    );
  }
  return (
    <div className="page">
      <h1>Settings</h1>
      <AccountSection />
      {!isReadOnly && <KeysSection />}
      <SessionsSection />
      <SpacesSection />
      {!isReadOnly && <TransferSection />}
      {!isReadOnly && <AccountsSection />}
    </div>
  );
}
