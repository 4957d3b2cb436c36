import type { App } from '../ctx.ts';
import { authenticate } from './authenticate.ts';
import { createToken } from './tokens.ts';

const linkSeconds = 900;
/** Of the session that the link starts. */
const sessionSeconds = 43_200;

/**
 * The part of an address of the console that signs in once, within 15 minutes. It is a fragment,
 * which browsers do not send, so that no log and no proxy has it.
 */
export async function createSignInFragment(app: App, key: string): Promise<string> {
  const credentials = { header: `Bearer ${key}`, missing: 'missing_api_key' } as const;
  const actor = await authenticate(app, credentials);
  const { token } = await createToken(
    { ...app, actor, requestId: 'start' },
    { expires_in: linkSeconds, renewable_for: sessionSeconds, single_use: true },
  );
  return `#token=${token}`;
}
