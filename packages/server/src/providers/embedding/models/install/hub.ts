import { sleepFor } from '../../../openai/retry.ts';
import { ModelNotInstalled } from './errors.ts';

/** A file in a repository of the hub. */
export interface HubFile {
  readonly path: string;
  /** Null: the hub does not say. */
  readonly bytes: number | null;
  readonly sha256: string | null;
}

/** A repository at one commit. */
export interface HubRepository {
  readonly revision: string;
  readonly files: readonly HubFile[];
}

export interface HubDeps {
  /** The address of the hub, without a slash at the end. */
  readonly hub: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
  /** Waits before a retry. */
  readonly sleep: (ms: number) => Promise<void>;
  /** A transfer without any byte for so long is interrupted and continued. */
  readonly idleMs: number;
}

/** As the command uses it. */
export const createHubDeps = (hub: string, token: string | undefined): HubDeps => ({
  hub: hub.replace(/\/+$/, ''),
  token,
  fetch,
  sleep: sleepFor,
  idleMs: 30_000,
});

const attemptsMax = 5;
const pauseFirstMs = 500;
const pauseMaxMs = 30_000;
const listingBytesMax = 16 * 2 ** 20;

/** A request that may succeed when it is repeated. */
export class TransientHubError extends Error {
  override readonly name = 'TransientHubError';
  readonly pauseMs: number | null;

  constructor(message: string, { pauseMs, ...options }: ErrorOptions & { pauseMs?: number } = {}) {
    super(message, options);
    this.pauseMs = pauseMs ?? null;
  }
}

/**
 * Repeats an attempt after transient errors: five times, and again after each attempt that made
 * progress.
 */
export async function retryTransient<T>(
  { sleep }: Pick<HubDeps, 'sleep'>,
  attempt: () => Promise<T>,
  progress: () => number = () => 0,
): Promise<T> {
  let failures = 0;
  for (let before = progress(); ; before = progress()) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransientHubError)) throw error;
      failures = progress() > before ? 1 : failures + 1;
      if (failures >= attemptsMax) {
        const advice = 'Repeat the installation later: it continues where it ended.';
        throw new ModelNotInstalled(`${error.message}. ${advice}`, { cause: error });
      }
      await sleep(Math.min(error.pauseMs ?? pauseFirstMs * 2 ** (failures - 1), pauseMaxMs));
    }
  }
}

/** Requests a path of the hub. Throws ModelNotInstalled, or TransientHubError. */
export async function requestHub(
  { hub, token, fetch }: HubDeps,
  path: string,
  what: string,
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${hub}${path}`, {
    headers: { ...headers, ...authorization },
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    throw new TransientHubError(`${hub} cannot be reached`, { cause });
  });
  if (response.ok || response.status === 416) return response;
  await response.body?.cancel();
  const { status } = response;
  if (status === 429 || status >= 500) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const pause = seconds >= 0 ? { pauseMs: seconds * 1_000 } : {};
    throw new TransientHubError(`${hub} responded with ${status} for ${what}`, pause);
  }
  if (status === 401 || status === 403) {
    const advice = 'Check its name; if it is private or gated, set HF_TOKEN to a token of the hub.';
    throw new ModelNotInstalled(`${hub} denies access to ${what}. ${advice}`);
  }
  if (status === 404) throw new ModelNotInstalled(`${hub} has no ${what}.`);
  throw new ModelNotInstalled(`${hub} responded with ${status} for ${what}.`);
}

interface ListedFile {
  readonly rfilename?: unknown;
  readonly size?: unknown;
  readonly lfs?: { readonly sha256?: unknown; readonly size?: unknown } | null;
}

const isSha256 = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Lists the files of a repository, and the commit that the revision names. */
export async function listRepository(
  deps: HubDeps,
  repository: string,
  revision: string,
): Promise<HubRepository> {
  const path = `/api/models/${repository}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const what = `model ${repository} at revision ${revision}`;
  const listing = await retryTransient(deps, async () => {
    const signal = AbortSignal.timeout(deps.idleMs);
    const response = await requestHub(deps, path, what, { signal });
    return readListing(response, `${deps.hub}${path}`);
  });
  const { sha, siblings } = listing as { sha?: unknown; siblings?: unknown };
  if (typeof sha !== 'string' || !/^[0-9a-f]{40}$/.test(sha) || !Array.isArray(siblings)) {
    throw new ModelNotInstalled(`${deps.hub} did not list the files of ${what}.`);
  }
  const files = (siblings as ListedFile[]).flatMap(({ rfilename, size, lfs }) => {
    if (typeof rfilename !== 'string') return [];
    const bytes = lfs?.size ?? size;
    const sha256 = isSha256(lfs?.sha256) ? lfs.sha256 : null;
    return [{ path: rfilename, bytes: typeof bytes === 'number' ? bytes : null, sha256 }];
  });
  return { revision: sha, files };
}

async function readListing(response: Response, address: string): Promise<unknown> {
  let text = '';
  try {
    text = await response.text();
  } catch (cause) {
    throw new TransientHubError(`the list of files from ${address} was interrupted`, { cause });
  }
  if (text.length > listingBytesMax) {
    throw new ModelNotInstalled(`The list of files from ${address} is too long.`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelNotInstalled(`${address} did not return JSON: is it a model hub?`, { cause });
  }
}
