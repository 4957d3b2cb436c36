import { isMnemeError } from '@mneme/sdk';
import { ConnectionError } from '../session/connection.ts';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

/** What to do about an error, in addition to its message. */
function adviceFor(error: unknown): string {
  if (isMnemeError(error, 'insufficient_permissions', 'space_access_denied')) {
    return 'Sign in with a key that has this permission.';
  }
  if (isMnemeError(error, 'rate_limit_exceeded')) {
    return `Wait ${error.retryAfterSeconds ?? 'a few'} seconds, then try again.`;
  }
  if (isMnemeError(error)) return '';
  if (error instanceof ConnectionError) return 'Check that the server is running, then try again.';
  return '';
}

/** The messages of single fields, such as `content: is required`. */
const fieldMessages = (error: unknown): string[] =>
  isMnemeError(error)
    ? Object.entries(error.fields).map(([name, { message }]) => `${name} ${message}`)
    : [];

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const advice = adviceFor(error);
  return (
    <div className="notice" role="alert">
      <Icon name="alert" />
      <div>
        <strong>{messageOf(error)}</strong>
        {fieldMessages(error).map((message) => (
          <span key={message}>{message}</span>
        ))}
        {advice !== '' && <span>{advice}</span>}
        {retry && <Button onClick={() => void retry()}>Try again</Button>}
      </div>
    </div>
  );
}
