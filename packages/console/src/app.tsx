import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createConsoleRouter, preloadPages } from './router.tsx';
import { isInterruption } from './session/connection.ts';
import {
  ClientContext,
  createSessionClient,
  sessionStore,
  useSession,
} from './session/session-context.tsx';
import { SignInPage } from './session/sign-in-page.tsx';
import { ReadOnlyContext } from './ui/read-only.ts';
import { ToastProvider } from './ui/toasts.tsx';

const retryMs = 500;
/** After the first page, which should have the network for itself. */
const preloadAfterMs = 2_000;

/**
 * The pages of a session. If it ends while they are in use, they stay below the sign-in page, so
 * that what was typed is there after signing in again with the same key.
 */
export function App({ linkError }: { linkError: unknown }) {
  const session = useSession();
  const [shown, setShown] = useState(session);
  const isInterrupted = session === null && sessionStore.endReason !== null;
  // A session that ended by signing out, or that is another one, leaves nothing behind.
  if (session !== shown && !isInterrupted) setShown(session);
  if (shown === null) return <SignInPage linkError={linkError} />;
  return (
    <>
      <ReadOnlyContext value={shown.isReadOnly}>
        <SignedIn key={shown.identity} />
      </ReadOnlyContext>
      {isInterrupted && <SignInAgain />}
    </>
  );
}

/** Covers the pages, also their dialogs. */
function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="sign-in-again"
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
      // Browsers close a dialog at the second Escape.
      onClose={() => dialog.current?.showModal()}
    >
      <SignInPage linkError={null} />
    </dialog>
  );
}

/** The data of one key: the next one starts without it. */
function SignedIn() {
  const { client, queries, router } = useMemo(
    () => ({
      client: createSessionClient(),
      queries: new QueryClient({
        defaultOptions: {
          queries: {
            // The client repeats what can succeed at once; these wait for a server and a session.
            retry: (_, error) => isInterruption(error),
            retryDelay: retryMs,
            refetchOnReconnect: 'always',
          },
        },
      }),
      router: createConsoleRouter(),
    }),
    [],
  );
  useEffect(() => {
    // A page that fails to load now is loaded when it is opened.
    const load = () => void preloadPages(router).catch(() => undefined);
    const timer = setTimeout(load, preloadAfterMs);
    return () => clearTimeout(timer);
  }, [router]);
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </ClientContext>
  );
}
