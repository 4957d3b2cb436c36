import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSource } from './source-files.ts';

/** A zip archive of stored entries. */
function zipOf(contents: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(contents)) {
    const bytes = Buffer.from(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), bytes]);
    const central = Buffer.alloc(16);
    central.writeUInt32LE(offset, 12);
    const head = Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1');
    directory.push(Buffer.concat([head, fields, central.subarray(2), Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('the files of a source', () => {
  let root = '';
  beforeAll(async () => {
    root = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-source-'));
  });
  afterAll(() => fs.rm(root, { recursive: true }));

  const textsOf = async (given: string): Promise<Record<string, string>> => {
    const source = await openSource(given);
    const texts: Record<string, string> = {};
    for (const file of source.files) {
      if (file.type === 'skipped') texts[file.place] = `skipped: ${file.reason}`;
      else for await (const chunk of file.open()) texts[file.name] = Buffer.from(chunk).toString();
    }
    source.close();
    return texts;
  };

  test('of a folder are all below it, without hidden ones; links are not followed', async () => {
    const folder = path.join(root, 'vault');
    await fs.mkdir(path.join(folder, 'sub', '.obsidian'), { recursive: true });
    await fs.writeFile(path.join(root, 'secret.md'), 'outside');
    await fs.writeFile(path.join(folder, 'b.md'), 'b');
    await fs.writeFile(path.join(folder, 'sub', 'a.md'), 'a');
    await fs.writeFile(path.join(folder, 'sub', '.obsidian', 'c.md'), 'c');
    await fs.symlink('../secret.md', path.join(folder, 'link.md'));
    await fs.symlink('..', path.join(folder, 'up'));
    const raw = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]);
    await fs.writeFile(raw, 'x');
    expect(await textsOf(folder)).toEqual({
      'b.md': 'b',
      'link.md': 'skipped: symbolic_link',
      'sub/a.md': 'a',
      up: 'skipped: symbolic_link',
      '\ufffd.md': 'skipped: name_not_utf8',
    });
  });

  test('of a zip archive are its entries', async () => {
    const file = path.join(root, 'export.zip');
    await fs.writeFile(file, zipOf({ 'b/c.json': '[1]', 'a.json': '[2]' }));
    expect(await textsOf(file)).toEqual({ 'a.json': '[2]', 'b/c.json': '[1]' });
  });

  test('of a damaged archive, or of one that leads out of its folder, are refused', async () => {
    const whole = zipOf({ 'a.json': '[2]' });
    const damaged = path.join(root, 'damaged.zip');
    await fs.writeFile(damaged, whole.subarray(0, -30));
    await expect(openSource(damaged)).rejects.toThrow('damaged.zip is a damaged zip archive');
    const escaping = path.join(root, 'escaping.zip');
    await fs.writeFile(escaping, zipOf({ '../a.json': '[2]' }));
    await expect(openSource(escaping)).rejects.toThrow('escaping.zip is a damaged zip archive');
    await expect(openSource(path.join(root, 'none'))).rejects.toThrow('none does not exist');
  });
});
