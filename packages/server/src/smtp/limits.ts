import type { Socket } from 'node:net';
import { limits } from '@mneme/contract';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { clientNetwork } from '../kernel/client-network.ts';
import type { Clock } from '../kernel/clock.ts';
import { SmtpReplyError } from './reply-error.ts';

/** The minimum transfer rate of a mail, and the interval of its check. */
const bytesPerSecondMin = 1_024;
const windowSeconds = 30;
/** A mail that is too large is rejected at its end, so the transfer needs a limit of its own. */
const receivedBytesMax = 2 * limits.mailBytesMax;

/** Limits the connections per network, so that no network can use all of them. */
export class ConnectionLimiter {
  readonly #max: number;
  readonly #networks = new Map<string, string>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Rejects with 421 if the network has reached the limit. */
  async admit({ id, remoteAddress }: SMTPServerSession): Promise<void> {
    const network = clientNetwork(remoteAddress);
    const open = [...this.#networks.values()].filter((other) => other === network).length;
    if (open >= this.#max) {
      throw new SmtpReplyError(421, '4.7.0', 'Too many connections from your network: retry later');
    }
    this.#networks.set(id, network);
  }

  release({ id }: SMTPServerSession): void {
    this.#networks.delete(id);
  }
}

/** Closes the connection of a mail that is too slow or too long, until it is disposed. */
export function enforceTransferLimits(
  clock: Clock,
  stream: SMTPServerDataStream,
  socket: Socket,
): Disposable {
  const initialBytesRead = socket.bytesRead;
  let lastBytesRead = initialBytesRead;
  const check = (): void => {
    if (stream.writableEnded) return;
    const { bytesRead } = socket;
    // With unread bytes in the stream, the server is slow and not the client.
    const isFastEnough =
      bytesRead - lastBytesRead >= bytesPerSecondMin * windowSeconds || stream.readableLength > 0;
    if (!isFastEnough || bytesRead - initialBytesRead > receivedBytesMax) {
      socket.destroy();
      return;
    }
    lastBytesRead = bytesRead;
    timer = clock.after(windowSeconds * 1_000, check);
  };
  let timer = clock.after(windowSeconds * 1_000, check);
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
