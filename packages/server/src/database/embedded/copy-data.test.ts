import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBackendResponse } from './backend-response.ts';
import { CopyDataReader } from './copy-data.ts';

function message(code: string, body: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.write(code);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

describe('the data of a COPY', () => {
  it('is extracted from a response that arrives in arbitrary chunks', () => {
    const rows = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 8 });
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });
    fc.assert(
      fc.property(rows, sizes, (data, chunkBytes) => {
        const response = Buffer.concat([
          message('H', Buffer.from([0, 0, 0])),
          ...data.map((row) => message('d', row)),
          message('c', Buffer.alloc(0)),
          message('C', Buffer.from('COPY 3\0')),
          message('Z', Buffer.from('I')),
        ]);
        const reader = new CopyDataReader();
        const found: Uint8Array[] = [];
        for (let at = 0, chunk = 0; at < response.length; chunk += 1) {
          const size = chunkBytes[chunk % chunkBytes.length] ?? 1;
          found.push(...reader.read(response.subarray(at, at + size)));
          at += size;
        }
        expect(Buffer.concat(found)).toEqual(Buffer.concat(data));
        expect(parseBackendResponse(reader.others, undefined).tag).toBe('COPY 3');
      }),
    );
  });
});
