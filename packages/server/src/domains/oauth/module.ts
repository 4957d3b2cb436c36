import type { Module } from '../module.ts';
import { oauthRouteHandlers } from './routes.ts';

/** Rows of an account are erased with its keys, which they reference. */
export const oauthModule = {
  name: 'oauth',
  handlers: oauthRouteHandlers,
} satisfies Module;
