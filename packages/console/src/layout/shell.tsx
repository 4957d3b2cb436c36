import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useHasServer } from '../session/connection.ts';
import { leaveAccount, signOut, useClient, useSession } from '../session/session-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon, Logo } from '../ui/icons.tsx';
import { useIsReadOnly } from '../ui/read-only.ts';
import { applyTheme, isDark } from '../ui/theme.ts';
import { CommandPalette } from './command-palette.tsx';
import { destinationsFor } from './destinations.ts';
import { ShortcutList } from './shortcut-list.tsx';
import { isMac, useShortcuts } from './shortcuts.ts';

/** The frame of all pages: navigation, the command palette, and shortcuts that work everywhere. */
export function Shell() {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const navigate = useNavigate();
  useShortcuts({
    'mod+k': () => setOpen('palette'),
    '/': () => void navigate({ to: '/search' }),
    '?': () => setOpen('shortcuts'),
  });
  const close = () => setOpen(null);
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <Sidebar openPalette={() => setOpen('palette')} />
      <main id="content" tabIndex={-1}>
        <NoServer />
        <Outlet />
      </main>
      {open === 'palette' && (
        <CommandPalette onClose={close} showShortcuts={() => setOpen('shortcuts')} />
      )}
      {open === 'shortcuts' && <ShortcutList onClose={close} />}
    </div>
  );
}

/** Says that the page waits; it continues by itself. */
function NoServer() {
  const hasServer = useHasServer();
  return (
    <div role="status" className="no-server">
      {!hasServer && (
        <>
          <Icon name="alert" size={14} />
          <span>
            <strong>The server does not respond.</strong> This page continues when it is back.
          </span>
        </>
      )}
    </div>
  );
}

function Sidebar({ openPalette }: { openPalette: () => void }) {
  const client = useClient();
  const isReadOnly = useIsReadOnly();
  const opened = useSession()?.opened;
  const navigate = useNavigate();
  // The page of a memory of the other account would not be found.
  const leave = () => void navigate({ to: '/memories' }).then(() => leaveAccount(client));
  return (
    <header className="sidebar">
      <Link to="/memories" className="brand" aria-label="Mneme, memories">
        <Logo size={24} />
        <span>Mneme</span>
      </Link>
      <button type="button" className="palette-opener" onClick={openPalette}>
        <Icon name="search" />
        <span>Go to…</span>
        <kbd className="kbd">{isMac ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <nav aria-label="Pages">
        {destinationsFor(isReadOnly).map(({ to, label, icon }) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
            <Icon name={icon} />
            <span>{label}</span>
          </Link>
        ))}
      </nav>
      {opened && (
        <div className="opened-account">
          <span>
            Account <strong>{opened.accountName}</strong>
          </span>
          <Button onClick={leave}>Back to yours</Button>
        </div>
      )}
      {isReadOnly && (
        <p className="read-only" title="Sign in again to change something.">
          <Icon name="lock" size={13} /> Read only
        </p>
      )}
      <div className="sidebar-end">
        <ThemeButton />
        <IconButton icon="signOut" label="Sign out" onClick={() => void signOut(client)} />
      </div>
    </header>
  );
}

function ThemeButton() {
  const [dark, setDark] = useState(isDark);
  const toggle = () => {
    applyTheme(dark ? 'light' : 'dark');
    setDark(!dark);
  };
  const label = dark ? 'Use light colours' : 'Use dark colours';
  return <IconButton icon={dark ? 'sun' : 'moon'} label={label} onClick={toggle} />;
}
