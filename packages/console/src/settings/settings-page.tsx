import '../styles/settings.css';
import { AccountSection } from './account-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SpacesSection } from './spaces-section.tsx';
import { TransferSection } from './transfer-section.tsx';

export const SettingsPage = () => (
  <div className="page">
    <h1>Settings</h1>
    <AccountSection />
    <KeysSection />
    <SessionsSection />
    <SpacesSection />
    <TransferSection />
  </div>
);
