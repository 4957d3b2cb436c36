import { confirmQuery, idParams, listQuery } from '../fields.ts';
import { planLimits } from '../plans.ts';
import { defineRoute } from '../route.ts';
import { sampleAccount, sampleAudit, sampleKey, sampleToken } from '../samples.ts';
import {
  accountPage,
  accountState,
  auditPage,
  auditQuery,
  createAccountBody,
  createKeyBody,
  createTokenBody,
  issuedKey,
  issuedToken,
  keyPage,
  ownAccount,
  patchAccountBody,
  patchOwnAccountBody,
  renewTokenBody,
  rotateKeyBody,
  tokenPage,
} from '../schemas/accounts.ts';

const notFound = 'not_found';
const issued = { ...sampleKey, key: 'mnk_a1B2c3D4e5F6_…_x7Y8z9' };
const page = { total: 1, limit: 20, offset: 0, has_more: false };

export const keyRoutes = {
  create: defineRoute({
    id: 'keys.create',
    method: 'POST',
    path: '/api-keys',
    summary: 'Create an API key; the secret is returned once',
    description:
      'Without scopes the key gets every scope except operator. A key cannot grant permissions ' +
      'that it lacks.',
    access: 'admin',
    body: createKeyBody,
    responses: { 201: issuedKey },
    idempotent: true,
    secretResponse: true,
    errors: ['space_not_found', 'quota_exceeded', 'space_access_denied'],
    example: { body: { name: 'agent', scopes: [...sampleKey.scopes] }, response: issued },
  }),
  list: defineRoute({
    id: 'keys.list',
    method: 'GET',
    path: '/api-keys',
    summary: 'List the keys of the account',
    description:
      'A key that is limited to spaces sees only keys that have no more access than itself.',
    access: 'admin',
    query: listQuery,
    responses: { 200: keyPage },
    errors: [],
    example: {
      query: { offset: 1 },
      response: {
        data: [sampleKey],
        pagination: { total: 2, limit: 20, offset: 1, has_more: false },
      },
    },
  }),
  revoke: defineRoute({
    id: 'keys.revoke',
    method: 'DELETE',
    path: '/api-keys/:id',
    summary: 'Revoke a key',
    access: 'admin',
    params: idParams,
    notFound,
    responses: { 204: null },
    errors: ['space_access_denied'],
    example: { params: { id: sampleKey.id }, response: null },
  }),
  rotate: defineRoute({
    id: 'keys.rotate',
    method: 'POST',
    path: '/api-keys/:id/rotate',
    summary: 'Rotate the secret of a key',
    description: 'The previous secret stays valid for grace_seconds (default 0).',
    access: 'admin',
    params: idParams,
    notFound,
    body: rotateKeyBody,
    bodyOptional: true,
    responses: { 200: issuedKey },
    errors: ['conflict', 'space_access_denied'],
    example: { params: { id: sampleKey.id }, body: { grace_seconds: 3600 }, response: issued },
  }),
} as const;

const own = {
  id: sampleAccount.id,
  name: sampleAccount.name,
  plan: sampleAccount.plan,
  limits: planLimits.pro,
  usage: {
    period: '2026-01',
    memories: 412,
    spaces: 2,
    api_keys: 1,
    webhooks: 1,
    searches: 96,
    embeddings: 431,
    memories_created_today: 7,
  },
  settings: sampleAccount.settings,
  contact_email: sampleAccount.contact_email,
  embedding: { model: 'encoder-en-256@2', dimensions: 256 },
};

export const accountRoutes = {
  get: defineRoute({
    id: 'account.get',
    method: 'GET',
    path: '/account',
    summary: "Read the key's account: plan, limits, usage, settings, model",
    access: 'any',
    responses: { 200: ownAccount },
    errors: [],
    example: { response: own },
  }),
  update: defineRoute({
    id: 'account.update',
    method: 'PATCH',
    path: '/account',
    summary: 'Change name, contact address or settings',
    description:
      'Omitted fields stay unchanged; null restores a default. Keys that are limited to spaces ' +
      'are rejected.',
    access: 'admin',
    body: patchOwnAccountBody,
    responses: { 200: ownAccount },
    errors: ['space_access_denied'],
    example: {
      body: { settings: { daily_memory_limit: 500 } },
      response: { ...own, settings: { ...own.settings, daily_memory_limit: 500 } },
    },
  }),
  audit: defineRoute({
    id: 'account.audit',
    method: 'GET',
    path: '/account/audit',
    summary: 'List changes of the account and its keys, newest first',
    description: 'Keys that are limited to spaces are rejected.',
    access: 'admin',
    query: auditQuery,
    responses: { 200: auditPage },
    errors: ['space_access_denied'],
    example: { response: { data: [sampleAudit], pagination: page } },
  }),
} as const;

export const authRoutes = {
  createToken: defineRoute({
    id: 'auth.createToken',
    method: 'POST',
    path: '/auth/tokens',
    summary: 'Create a session token with the permissions of the key, or of one user',
    description:
      'For people and web consoles. The token works on every route that the scopes of its key ' +
      'allow, until expires_at or until the key itself is invalid. Requires an API key: a ' +
      'session token cannot create another one. With user_id, the token sees and writes only ' +
      'memories of that user; `x-user-tokens` says on which routes.',
    access: 'any',
    body: createTokenBody,
    bodyOptional: true,
    responses: { 201: issuedToken },
    idempotent: true,
    secretResponse: true,
    errors: [],
    example: {
      body: { expires_in: 3600 },
      response: { ...sampleToken, token: 'eyJhbGciOiJIUzI1NiJ9.…', token_type: 'Bearer' },
    },
  }),
  renewToken: defineRoute({
    id: 'auth.renewToken',
    method: 'POST',
    path: '/auth/tokens/renew',
    summary: 'Renew a session token that was created with renewable_for',
    description:
      'The token in the body is the credential. The new one has the same id and is valid for as ' +
      'long as the first one was, at most until renewable_until. A token with single_use is ' +
      'replaced by another one and revoked. 401 `expired_token`: the token cannot be renewed, or ' +
      'was revoked. Changes of the key apply: a revoked or rotated key ends its tokens.',
    access: 'public',
    body: renewTokenBody,
    responses: { 200: issuedToken },
    errors: [
      'invalid_api_key',
      'revoked_api_key',
      'expired_api_key',
      'expired_token',
      'insufficient_permissions',
    ],
    example: {
      body: { token: 'eyJhbGciOiJIUzI1NiJ9.…' },
      response: {
        ...sampleToken,
        renewable_until: '2026-01-06T00:00:00.000Z',
        token: 'eyJhbGciOiJIUzI1NiJ9.…',
        token_type: 'Bearer',
      },
    },
  }),
  listTokens: defineRoute({
    id: 'auth.listTokens',
    method: 'GET',
    path: '/auth/tokens',
    summary: 'List session tokens that are valid or renewable, newest first',
    description:
      'Lists the tokens of the calling key; with the scope `admin`, of all keys. A key that is ' +
      'limited to spaces sees only the tokens of keys that have no more access than itself.',
    access: 'any',
    query: listQuery,
    responses: { 200: tokenPage },
    errors: [],
    example: { query: { limit: 20 }, response: { data: [sampleToken], pagination: page } },
  }),
  revokeToken: defineRoute({
    id: 'auth.revokeToken',
    method: 'DELETE',
    path: '/auth/tokens/:id',
    summary: 'Revoke a session token',
    description:
      'The token must be one that GET /auth/tokens lists; a session token can revoke itself. A ' +
      'revoked token is 401 `expired_token`: immediately in this process, within 10 s in all ' +
      'others.',
    access: 'any',
    params: idParams,
    notFound,
    responses: { 204: null },
    errors: [],
    example: { params: { id: sampleToken.id }, response: null },
  }),
} as const;

const accountParams = { id: sampleAccount.id };

export const adminRoutes = {
  createAccount: defineRoute({
    id: 'admin.createAccount',
    method: 'POST',
    path: '/admin/accounts',
    summary: 'Create an account',
    access: 'operator',
    body: createAccountBody,
    responses: { 201: accountState },
    idempotent: true,
    errors: [],
    example: { body: { name: 'acme', plan: 'pro' }, response: sampleAccount },
  }),
  listAccounts: defineRoute({
    id: 'admin.listAccounts',
    method: 'GET',
    path: '/admin/accounts',
    summary: 'List accounts, oldest first',
    access: 'operator',
    query: listQuery,
    responses: { 200: accountPage },
    errors: [],
    example: {
      query: { limit: 1 },
      response: {
        data: [{ ...sampleAccount, name: 'default', plan: 'enterprise' }],
        pagination: { total: 2, limit: 1, offset: 0, has_more: true },
      },
    },
  }),
  getAccount: defineRoute({
    id: 'admin.getAccount',
    method: 'GET',
    path: '/admin/accounts/:id',
    summary: 'Read an account',
    access: 'operator',
    params: idParams,
    notFound,
    responses: { 200: accountState },
    errors: [],
    example: { params: accountParams, response: sampleAccount },
  }),
  updateAccount: defineRoute({
    id: 'admin.updateAccount',
    method: 'PATCH',
    path: '/admin/accounts/:id',
    summary: 'Change the plan, name, settings or suspension of an account',
    access: 'operator',
    params: idParams,
    notFound,
    body: patchAccountBody,
    responses: { 200: accountState },
    errors: ['conflict'],
    example: {
      params: accountParams,
      body: { plan: 'max' },
      response: { ...sampleAccount, plan: 'max' },
    },
  }),
  deleteAccount: defineRoute({
    id: 'admin.deleteAccount',
    method: 'DELETE',
    path: '/admin/accounts/:id',
    summary: 'Delete an account with all its data',
    description: 'Requires confirm=true. The keys stop working immediately; a job erases the data.',
    access: 'operator',
    params: idParams,
    notFound,
    query: confirmQuery,
    responses: { 204: null },
    errors: ['confirmation_required', 'conflict'],
    example: { params: accountParams, query: { confirm: true }, response: null },
  }),
  createKey: defineRoute({
    id: 'admin.createKey',
    method: 'POST',
    path: '/admin/accounts/:id/keys',
    summary: 'Create an API key for an account',
    access: 'operator',
    params: idParams,
    notFound,
    body: createKeyBody,
    responses: { 201: issuedKey },
    idempotent: true,
    secretResponse: true,
    errors: ['space_not_found', 'quota_exceeded'],
    example: {
      params: accountParams,
      body: { name: 'agent', scopes: [...sampleKey.scopes] },
      response: issued,
    },
  }),
} as const;
