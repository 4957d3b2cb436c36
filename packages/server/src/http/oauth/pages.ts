import type {
  AuthorizationRequest,
  BrowserSession,
  ConsentOffer,
} from '../../domains/oauth/index.ts';
import {
  isLoopbackRedirect,
  type OAuthScope,
  type OfferedSpace,
} from '../../domains/oauth/index.ts';
import { type Html, html, page } from './html.ts';

/** Where a form goes, and the token that only its page has. */
interface FormState {
  readonly query: string;
  readonly formToken: string;
  /** Why the page is shown again. */
  readonly error: string | null;
}

const hidden = (token: string): Html =>
  html`<input type="hidden" name="form_token" value="${token}">`;

const alert = (error: string | null): Html | null =>
  error === null ? null : html`<p id="error" class="notice" role="alert">${error}</p>`;

const describedBy = (error: string | null): Html | null =>
  error === null ? null : html`aria-invalid="true" aria-describedby="error"`;

const clientLabel = ({ client }: Pick<AuthorizationRequest, 'client'>): string =>
  client.name ?? client.host ?? 'An application without a name';

/** Asks for an API key, which is what people of the service have. */
export const signInPage = (
  request: AuthorizationRequest,
  { query, formToken, error }: FormState,
): string =>
  page(
    'Sign in',
    html`<h1>Sign in to Mneme</h1>
<p><strong>${clientLabel(request)}</strong> wants to use your memories. Sign in with an API key to
see what it asks for. The application does not get the key.</p>
${alert(error)}
<form method="post" action="/oauth/sign-in?${query}">
${hidden(formToken)}
<label for="key">API key</label>
<input id="key" name="api_key" type="password" autocomplete="current-password" required autofocus
  spellcheck="false" maxlength="200" ${describedBy(error)}>
<p><button class="primary" type="submit">Sign in</button></p>
</form>`,
  );

const scopeLabels: Readonly<Record<OAuthScope, string>> = {
  'memories:read': 'Read memories',
  'memories:write': 'Store and delete memories',
  'search:read': 'Search memories',
  'knowledge:read': 'Read people, places, things and their facts',
  'relationships:read': 'Read how memories are linked',
};

/** Shows who asks for what, and lets the person allow all, some or nothing of it. */
export const consentPage = (
  request: AuthorizationRequest,
  { actor, keyName }: Pick<BrowserSession, 'actor' | 'keyName'>,
  offer: ConsentOffer,
  { query, formToken, error }: FormState,
): string => {
  const name = clientLabel(request);
  return page(
    'Allow access',
    html`<h1>Allow ${name} to use your memories?</h1>
${alert(error)}
${aboutClient(request)}
<form method="post" action="/oauth/consent?${query}">
${hidden(formToken)}
<fieldset>
<legend>It may</legend>
${offer.scopes.map(
  (scope) => html`<label><input type="checkbox" name="scope" value="${scope}" checked>
${scopeLabels[scope]}</label>
`,
)}</fieldset>
${spaceChoice(offer, actor.spaces !== null)}
<fieldset>
<legend>Whose memories</legend>
<label for="user">Only memories of this user (a <code>user_id</code>; empty: of everybody)</label>
<input id="user" name="user_id" type="text" autocomplete="off" spellcheck="false" maxlength="255">
</fieldset>
<p><button class="primary" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button></p>
</form>
<form method="post" action="/oauth/sign-out?${query}">
${hidden(formToken)}
<p>You are signed in with the API key “${keyName}”. The access ends when this key is revoked.
<button type="submit">Use another key</button></p>
</form>`,
  );
};

function aboutClient({ client, redirectUri, resource }: AuthorizationRequest): Html {
  const { host } = new URL(redirectUri);
  return html`<dl>
<dt>Application</dt>
<dd>${client.name ?? 'It has no name.'} ${
    client.host === null
      ? 'It chose this name itself: anybody can choose any name.'
      : html`It is published by <strong>${client.host}</strong>.`
  }</dd>
<dt>You return to</dt>
<dd><strong>${host}</strong></dd>
<dt>It gets access to</dt>
<dd>${resource.url}</dd>
</dl>
${
  isLoopbackRedirect(redirectUri)
    ? html`<p class="notice" role="note"><strong>Caution:</strong> you return to a program on this
computer, and any program can use this name. Allow it only if you started the connection yourself
just now.</p>`
    : null
}`;
}

function spaceChoice({ onlySpace, spaces }: ConsentOffer, isLimitedKey: boolean): Html {
  if (onlySpace !== null) {
    return html`<h2>In the space</h2>
<p>${onlySpace.name}</p>`;
  }
  const all = isLimitedKey ? 'All spaces of this API key' : 'All spaces, also those of later';
  return html`<fieldset>
<legend>In the spaces</legend>
<label><input type="radio" name="spaces" value="all" checked> ${all}</label>
<label><input type="radio" name="spaces" value="some"> Only these:</label>
${spaces.map(spaceBox)}</fieldset>`;
}

const spaceBox = ({ id, name }: OfferedSpace): Html =>
  html`<label><input type="checkbox" name="space" value="${id}"> ${name}</label>
`;

/**
 * An error. With a link that tells it to the client: a redirect without a click would let anybody
 * who registers a client send people from this service to another site (RFC 9700, 4.11.2).
 */
export const errorPage = (message: string, clientUrl?: string): string =>
  page(
    'Error',
    html`<h1>This request cannot be completed</h1>
<p role="alert">${message}</p>
${
  clientUrl === undefined
    ? html`<p>Close this page and start again in your application.</p>`
    : html`<p><a href="${clientUrl}">Return to ${new URL(clientUrl).host}</a>, if you started there,
or close this page.</p>`
}`,
  );
