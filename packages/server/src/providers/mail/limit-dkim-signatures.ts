/**
 * Maximum number of checked signatures. Each may require its own hash of the whole body, so
 * hundreds of them in an untrusted mail would occupy the process for minutes.
 */
const signaturesMax = 8;

/** Removes the DKIM signatures after the first ones; the rest is unchanged. */
export async function* limitDkimSignatures(
  raw: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of raw) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const text = head.toString('latin1');
    const end = /\n\r?\n/.exec(text)?.index;
    if (end === undefined) continue;
    yield Buffer.from(removeExtraSignatures(text.slice(0, end + 1)), 'latin1');
    yield head.subarray(end + 1);
    head = null;
  }
  if (head !== null) yield Buffer.from(removeExtraSignatures(head.toString('latin1')), 'latin1');
}

function removeExtraSignatures(header: string): string {
  let count = 0;
  let isIncluded = true;
  const lines = header.split(/(?<=\n)/).filter((line) => {
    // A folded line belongs to its field.
    if (!/^\s/.test(line)) {
      const isSignature = /^dkim-signature\s*:/i.test(line);
      if (isSignature) count += 1;
      isIncluded = !isSignature || count <= signaturesMax;
    }
    return isIncluded;
  });
  return lines.join('');
}
