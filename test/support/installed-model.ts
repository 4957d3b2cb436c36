import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Puts a model into a data folder that is listed as installed, although it cannot be loaded. */
export async function writeInstalledModel(
  dataDir: string,
  { name, bytes }: { readonly name: string; readonly bytes: number },
): Promise<void> {
  const folder = path.join(dataDir, 'models', name);
  await mkdir(folder, { recursive: true });
  const manifest = {
    name,
    source: 'a-test',
    revision: null,
    installedAt: new Date(0).toISOString(),
    dtype: 'q8',
    pooling: 'cls',
    prefixes: { query: '', document: '' },
    dimensions: 384,
    layerNormBeforeTruncation: false,
    tokensMax: 512,
    licence: 'MIT',
    files: [{ path: 'onnx/model_quantized.onnx', bytes, sha256: '0'.repeat(64) }],
  };
  await writeFile(path.join(folder, 'mneme-model.json'), JSON.stringify(manifest));
}
