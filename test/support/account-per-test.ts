import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type engines, type Service, startService } from './service.ts';

interface TestAccount {
  readonly service: Service;
  /** For an account that no other test uses. */
  readonly client: Client;
}

/** Starts one service per test group and creates one account per test. */
export function useAccountPerTest(
  engine: (typeof engines)[number],
  begin: (account: TestAccount) => void,
  options: Parameters<typeof startService>[1] = {},
): void {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, options);
  });
  beforeEach(async () => begin({ service, client: (await service.createAccount()).client }));
  afterAll(() => service.stop());
}
