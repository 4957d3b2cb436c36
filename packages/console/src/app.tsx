import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useMemo } from 'react';
import { createConsoleRouter } from './router.tsx';
import { ClientContext, createSessionClient, useSession } from './session/session-context.tsx';
import { SignInPage } from './session/sign-in-page.tsx';
import { ReadOnlyContext } from './ui/read-only.ts';
import { ToastProvider } from './ui/toasts.tsx';

export function App({ linkError }: { linkError: unknown }) {
  const session = useSession();
  if (session === null) return <SignInPage linkError={linkError} />;
  return (
    <ReadOnlyContext value={session.isReadOnly}>
      <SignedIn key={session.id} />
    </ReadOnlyContext>
  );
}

/** The data of one session: the next one starts without it. */
function SignedIn() {
  const { client, queries, router } = useMemo(
    () => ({
      client: createSessionClient(),
      // The client retries what can succeed later.
      queries: new QueryClient({ defaultOptions: { queries: { retry: false } } }),
      router: createConsoleRouter(),
    }),
    [],
  );
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
