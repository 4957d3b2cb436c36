import { beforeKeyIssue } from '../accounts/index.ts';
import type { Module } from '../module.ts';
import { spaceCheck } from './checks.ts';
import { eraseAccountSpaces, requireExistingSpaces } from './manage.ts';
import { spaceRouteHandlers } from './routes.ts';

export const spaceModule = {
  name: 'spaces',
  handlers: spaceRouteHandlers,
  checks: [spaceCheck],
  eraseAccount: eraseAccountSpaces,
  registerHooks(app) {
    beforeKeyIssue.on(app, requireExistingSpaces);
  },
} satisfies Module;
