import { erasureBackoffSeconds, type Module } from '../module.ts';
import { accountCheck } from './checks.ts';
import { eraseAccount, eraseAccountKind } from './manage.ts';
import { accountHandlers } from './routes.ts';

export const accountModule = {
  name: 'accounts',
  handlers: accountHandlers,
  jobs: {
    [eraseAccountKind]: { run: eraseAccount, backoffSeconds: erasureBackoffSeconds },
  },
  checks: [accountCheck],
} satisfies Module;
