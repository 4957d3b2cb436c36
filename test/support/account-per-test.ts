import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type engines, type Service, startService } from './service.ts';

interface TestAccount {
  readonly service: Service;
  /** Of an account that no other test knows. */
  readonly client: Client;
}

/** One service for the tests of a group, and for each of them an account of its own. */
export function useAccountPerTest(
  engine: (typeof engines)[number],
  begin: (begun: TestAccount) => void,
  options: Parameters<typeof startService>[1] = {},
): void {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, options);
  });
  beforeEach(async () => begin({ service, client: (await service.createAccount()).client }));
  afterAll(() => service.stop());
}
