import { type ChangeEvent, useRef, useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { ImportProgress } from './import-progress.tsx';

export function TransferSection() {
  const client = useClient();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<'export' | 'upload' | null>(null);
  const [importId, setImportId] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const run = async (what: 'export' | 'upload', action: () => Promise<void>) => {
    setError(null);
    setBusy(what);
    await action().catch(setError);
    setBusy(null);
  };
  const download = () =>
    run('export', async () => {
      const response = await client.transfers.export();
      const disposition = response.headers.get('content-disposition') ?? '';
      const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'mneme-export.tar';
      saveFile(await response.blob(), name);
    });
  const upload = (event: ChangeEvent<HTMLInputElement>) => {
    const [archive] = event.target.files ?? [];
    event.target.value = '';
    if (archive === undefined) return;
    void run('upload', async () => {
      setImportId((await client.transfers.import({ body: archive })).import_id);
    });
  };
  return (
    <section className="section" aria-labelledby="transfer-title">
      <div className="section-head">
        <div>
          <h2 id="transfer-title">Export and import</h2>
          <p className="hint">
            An archive has all memories, files, facts and links of the account.
          </p>
        </div>
        <div className="section-actions">
          <Button disabled={busy !== null} onClick={download}>
            {busy === 'export' ? 'Exporting…' : 'Export'}
          </Button>
          <Button disabled={busy !== null} onClick={() => file.current?.click()}>
            {busy === 'upload' ? 'Uploading…' : 'Import an archive'}
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            aria-label="Archive to import"
            accept=".tar,.gz,.tgz,.zst"
            onChange={upload}
          />
        </div>
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      {importId !== null && <ImportProgress id={importId} />}
    </section>
  );
}

/** Hands bytes to the browser as a download. */
function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
