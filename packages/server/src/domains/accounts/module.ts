import { erasureBackoffSeconds, type Module } from '../module.ts';
import { accountCheck } from './checks.ts';
import { eraseAccount, eraseAccountKind } from './manage.ts';
import { accountRouteHandlers } from './routes.ts';

export const accountModule = {
  name: 'accounts',
  handlers: accountRouteHandlers,
  jobs: {
    [eraseAccountKind]: { run: eraseAccount, backoffSeconds: erasureBackoffSeconds },
  },
  checks: [accountCheck],
} satisfies Module;
