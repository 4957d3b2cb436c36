import '../styles/settings.css';
import { useIsReadOnly } from '../ui/read-only.ts';
import { AccountSection } from './account-section.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SpacesSection } from './spaces-section.tsx';
import { TransferSection } from './transfer-section.tsx';

/** Keys and transfers require the scope admin, which a session that only reads does not have. */
export function SettingsPage() {
  const isReadOnly = useIsReadOnly();
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
