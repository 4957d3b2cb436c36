import { threadNumberOf } from '../../packages/server/src/domains/search-index/testing.ts';

interface Division<A> {
  /** Search threads of the service. */
  readonly threads: number;
  /** The thread of each account. */
  readonly numbers: readonly number[];
  createAccount(): Promise<A>;
}

/** Creates accounts of the given search threads. */
export async function createAccountsOfThreads<A extends { readonly id: string }>({
  threads,
  numbers,
  createAccount,
}: Division<A>): Promise<A[]> {
  const accounts: A[] = [];
  for (const number of numbers) {
    // Ids are random.
    let account = await createAccount();
    while (threadNumberOf(account.id, threads) !== number) account = await createAccount();
    accounts.push(account);
  }
  return accounts;
}
