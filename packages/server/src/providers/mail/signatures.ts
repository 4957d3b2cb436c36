/**
 * As many signatures of a mail are checked. Each may ask for a hash of its own of the whole body,
 * so hundreds of them in a mail of anybody would keep the process busy for minutes.
 */
const signaturesMax = 8;

/** The mail without the DKIM signatures below its first ones; all else passes as it is. */
export async function* limitSignatures(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const piece of raw) {
    if (head === null) {
      yield piece;
      continue;
    }
    head = Buffer.concat([head, piece]);
    const text = head.toString('latin1');
    const end = /\n\r?\n/.exec(text)?.index;
    if (end === undefined) continue;
    yield Buffer.from(fewSignaturesIn(text.slice(0, end + 1)), 'latin1');
    yield head.subarray(end + 1);
    head = null;
  }
  if (head !== null) yield Buffer.from(fewSignaturesIn(head.toString('latin1')), 'latin1');
}

function fewSignaturesIn(header: string): string {
  let count = 0;
  let isKept = true;
  const kept = header.split(/(?<=\n)/).filter((line) => {
    // A fold goes where its field goes.
    if (!/^\s/.test(line)) {
      const isSignature = /^dkim-signature\s*:/i.test(line);
      if (isSignature) count += 1;
      isKept = !isSignature || count <= signaturesMax;
    }
    return isKept;
  });
  return kept.join('');
}
