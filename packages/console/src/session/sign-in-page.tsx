import { isMnemeError } from '@mneme/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon, Logo } from '../ui/icons.tsx';
import { sessionStore } from './session-context.tsx';

const describeKeyError = (error: unknown): unknown =>
  isMnemeError(error, 'invalid_api_key')
    ? new Error('This key is not valid. Check that you copied all of it, from mnk_ to the end.')
    : error;

export function SignInPage({ linkError }: { linkError: unknown }) {
  const [key, setKey] = useState('');
  const [isKept, setIsKept] = useState(false);
  const [isReadOnly, setIsReadOnly] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(linkError);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setError(null);
    await sessionStore.signIn(key.trim(), { isKept, isReadOnly }).catch((reason: unknown) => {
      setError(describeKeyError(reason));
      setIsBusy(false);
    });
  };
  const { endReason } = sessionStore;
  return (
    <main className="sign-in">
      <form onSubmit={submit}>
        <Logo size={36} />
        <div>
          <h1>Sign in to Mneme</h1>
          <p className="hint">See, search and correct what your agents remember.</p>
        </div>
        {endReason !== null && !error && (
          <div className="notice" data-tone="info" role="status">
            <Icon name="alert" />
            <div>{endReason}</div>
          </div>
        )}
        {error ? <ErrorNotice error={error} /> : null}
        <label className="field">
          <span>API key</span>
          <input
            className="input"
            type="password"
            name="key"
            autoComplete="current-password"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: it is the only task of this page.
            autoFocus
            required
            placeholder="mnk_…"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
        <Choice label="Keep me signed in" isChosen={isKept} onChange={setIsKept}>
          Stores a token for 30 days, which you can revoke. Not the key.
        </Choice>
        <Choice label="Read only" isChosen={isReadOnly} onChange={setIsReadOnly}>
          To look around: this session cannot change anything.
        </Choice>
        <Button kind="primary" type="submit" disabled={isBusy || key.trim() === ''}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        <KeyHint />
      </form>
    </main>
  );
}

const KeyHint = () => (
  <p className="hint">
    The first start of the server printed where the admin key is stored: the file{' '}
    <code>admin-key</code> in its data folder.
  </p>
);

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
  readonly children: string;
}

const Choice = ({ label, isChosen, onChange, children }: ChoiceProps) => (
  <label className="checkbox">
    <input
      type="checkbox"
      checked={isChosen}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      {label}
      <br />
      <span className="hint">{children}</span>
    </span>
  </label>
);
