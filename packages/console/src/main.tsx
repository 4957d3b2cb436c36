import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/layout.css';
import './styles/memories.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeLinkToken } from './session/session.ts';
import { sessionStore } from './session/session-context.tsx';
import { applyTheme, readTheme } from './ui/theme.ts';

applyTheme(readTheme());
const linkToken = takeLinkToken();
const linkError =
  linkToken === null
    ? null
    : await sessionStore.signInWithLink(linkToken).then(
        () => null,
        () =>
          new Error(
            'This sign-in link was used already or has expired. Sign in with an API key instead.',
          ),
      );
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(
  <StrictMode>
    <App linkError={linkError} />
  </StrictMode>,
);
