import type { Socket } from 'node:net';
import { limits } from '@mneme/contract';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { clientNetwork } from '../kernel/client-network.ts';
import type { Clock } from '../kernel/clock.ts';
import { SmtpReplyError } from './reply-error.ts';

/** The slowest that a mail may come, and how often that is looked at. */
const bytesPerSecondMin = 1_024;
const windowSeconds = 30;
/** A mail that is too large is refused at its end, which has to come. */
const receivedBytesMax = 2 * limits.mailBytesMax;

/** Counts the connections of each network, so that none can take all of them. */
export class ConnectionLimiter {
  readonly #max: number;
  readonly #networks = new Map<string, string>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Rejects with 421 where the network has as many already. */
  async admit({ id, remoteAddress }: SMTPServerSession): Promise<void> {
    const network = clientNetwork(remoteAddress);
    const open = [...this.#networks.values()].filter((other) => other === network).length;
    if (open >= this.#max) {
      throw new SmtpReplyError(
        421,
        '4.7.0',
        'Too many connections from your network. Try again later.',
      );
    }
    this.#networks.set(id, network);
  }

  release({ id }: SMTPServerSession): void {
    this.#networks.delete(id);
  }
}

/** Until it is disposed of: a mail that comes too slowly, or without an end, is cut off. */
export function enforceTransferLimits(
  clock: Clock,
  stream: SMTPServerDataStream,
  socket: Socket,
): Disposable {
  const begun = socket.bytesRead;
  let seen = begun;
  const look = (): void => {
    if (stream.writableEnded) return;
    const { bytesRead } = socket;
    // While bytes wait to be read here, it is not the client that is slow.
    const flows =
      bytesRead - seen >= bytesPerSecondMin * windowSeconds || stream.readableLength > 0;
    if (!flows || bytesRead - begun > receivedBytesMax) {
      socket.destroy();
      return;
    }
    seen = bytesRead;
    timer = clock.after(windowSeconds * 1_000, look);
  };
  let timer = clock.after(windowSeconds * 1_000, look);
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
