export { authenticate } from './authenticate.ts';
export { AdminKeyMalformed, bootstrap, type FirstKey } from './bootstrap.ts';
export { issuingKey } from './keys.ts';
export { eraseAccount, eraseAccountKind, erasingAccount } from './manage.ts';
export { grants } from './model.ts';
export { accountHandlers } from './routes.ts';
