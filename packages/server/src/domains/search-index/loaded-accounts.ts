import type { LoadedIndex } from './index-loader.ts';
import type { OversizedAccounts } from './oversized-accounts.ts';
import type { AccountIndexSize } from './thread/protocol.ts';

const emptySize: AccountIndexSize = { documents: 0, deletedDocuments: 0, bytes: 0 };

/** An account whose index is in its thread, or is being loaded. */
export interface LoadedAccount extends LoadedIndex {
  /**
   * `current`: it has everything that this process has committed. `catching up`: it will, unless
   * more is committed meanwhile. `behind`: changes have to be read first.
   */
  state: 'behind' | 'catching up' | 'current';
  /** Whether the last catch-up found nothing to read. */
  isQuiet: boolean;
  /** Documents taken from commits since its size was estimated. */
  unsized: number;
  /** Catch-ups of one account run sequentially. */
  lastCatchUp: Promise<void>;
  /** The catch-up that has not started yet: it serves every caller until it starts. */
  queuedCatchUp: Promise<void> | null;
}

/** A loaded account that a segment may be written of. */
export interface SegmentState {
  readonly accountId: string;
  /** That are live. */
  readonly documents: number;
  /** Estimated memory. */
  readonly bytes: number;
  /** Whether it is larger than the memory limit. */
  readonly isOversized: boolean;
  /** Whether there is a segment that has a part of it. */
  readonly hasSegment: boolean;
  /** Changes that no segment has. */
  readonly unsegmented: number;
}

/** The accounts in all threads with their memory, which is limited as a whole. */
export class LoadedAccounts {
  /** Limit of all accounts that are not larger alone. */
  readonly bytesMax: number;
  readonly #oversized: OversizedAccounts;
  /** In order of last use. */
  readonly #accounts = new Map<string, LoadedAccount>();
  /** Sum over all accounts. */
  #bytes = 0;

  constructor(bytesMax: number, oversized: OversizedAccounts) {
    this.bytesMax = bytesMax;
    this.#oversized = oversized;
  }

  get(accountId: string): LoadedAccount | undefined {
    return this.#accounts.get(accountId);
  }

  /** Returns the account, empty if it is not loaded, and marks it as the most recently used. */
  touch(accountId: string): LoadedAccount {
    const account: LoadedAccount = this.#accounts.get(accountId) ?? {
      model: null,
      scaleRevision: 0,
      position: 0,
      changes: 0,
      isQuiet: false,
      state: 'behind',
      size: emptySize,
      hasSegment: false,
      unsegmented: 0,
      salienceSince: null,
      unsized: 0,
      lastCatchUp: Promise.resolve(),
      queuedCatchUp: null,
    };
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, account);
    return account;
  }

  /** False if it was not loaded. */
  delete(accountId: string): boolean {
    this.#bytes -= this.#accounts.get(accountId)?.size.bytes ?? 0;
    return this.#accounts.delete(accountId);
  }

  /** Of a thread that has stopped. */
  deleteAll(isLost: (accountId: string) => boolean): void {
    for (const accountId of [...this.#accounts.keys()]) {
      if (isLost(accountId)) this.delete(accountId);
    }
  }

  setSize(accountId: string, account: LoadedIndex, size: AccountIndexSize): void {
    const isLoaded = this.#accounts.get(accountId) === account;
    if (isLoaded) this.#bytes += size.bytes - account.size.bytes;
    account.size = size;
    if (size.bytes <= this.bytesMax) this.#oversized.delete(accountId);
    else if (isLoaded) void this.#oversized.add(accountId);
  }

  /**
   * The least recently used accounts, without which the others are within the limit. Those that are
   * larger alone neither count nor are among them.
   */
  listExcess(keptAccountId: string): string[] {
    let bytes = this.#bytes;
    for (const accountId of this.#oversized) {
      bytes -= this.#accounts.get(accountId)?.size.bytes ?? 0;
    }
    const excess: string[] = [];
    for (const [accountId, { size }] of this.#accounts) {
      if (bytes <= this.bytesMax) break;
      // An account that is loading for the first time has no size yet; evicting it only restarts
      // it.
      if (accountId === keptAccountId || size === emptySize) continue;
      if (this.#oversized.has(accountId)) continue;
      bytes -= size.bytes;
      excess.push(accountId);
    }
    return excess;
  }

  /** The accounts, their documents and their estimated memory. */
  get totals(): { readonly accounts: number; readonly documents: number; readonly bytes: number } {
    const sizes = [...this.#accounts.values()].map(({ size }) => size.documents);
    const documents = sizes.reduce((sum, size) => sum + size, 0);
    return { accounts: sizes.length, documents, bytes: this.#bytes };
  }

  /** The accounts with their live documents and the changes that no segment has. */
  listSegmentStates(): SegmentState[] {
    return [...this.#accounts]
      .filter(([, { model, position }]) => model !== null && position > 0)
      .map(([accountId, { size, hasSegment, unsegmented }]) => ({
        accountId,
        documents: size.documents - size.deletedDocuments,
        bytes: size.bytes,
        isOversized: this.#oversized.has(accountId),
        hasSegment,
        unsegmented,
      }));
  }

  /** Another process has written a segment of everything that this one has loaded. */
  setSegmented(accountId: string, position: number): void {
    const account = this.#accounts.get(accountId);
    if (!account || position < account.position) return;
    account.unsegmented = 0;
    account.hasSegment = true;
  }

  /** No segment has anything of the account: that which there was has been removed. */
  setUnsegmented(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    account.unsegmented = account.size.documents;
    account.hasSegment = false;
  }
}
