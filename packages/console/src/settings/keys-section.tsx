import type { ApiKey, IssuedApiKey } from '@mneme/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../api/queries.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Time } from '../ui/time.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';

export function KeysSection() {
  const client = useClient();
  const queries = useQueryClient();
  const [isCreating, setIsCreating] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const query = keysQuery(client);
  const keys = useQuery(query);
  const refresh = () => queries.invalidateQueries({ queryKey: query.queryKey });
  return (
    <section className="section" aria-labelledby="keys-title">
      <div className="section-head">
        <div>
          <h2 id="keys-title">API keys</h2>
          <p className="hint">One for each agent or program, with the scopes that it needs.</p>
        </div>
        <Button icon="plus" onClick={() => setIsCreating(true)}>
          Create key
        </Button>
      </div>
      {keys.isError && <ErrorNotice error={keys.error} retry={keys.refetch} />}
      <ul className="rows">
        {keys.data?.data
          .filter(({ revoked_at }) => revoked_at === null)
          .map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoked(key)} />
          ))}
      </ul>
      {isCreating && (
        <CreateKeyDialog
          onClose={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false);
            setIssued(key);
            void refresh();
          }}
        />
      )}
      {issued && <IssuedKeyDialog issued={issued} onClose={() => setIssued(null)} />}
      {revoked && (
        <ConfirmDialog
          title={`Revoke the key “${revoked.name}”?`}
          text="Programs that use it, and sessions that were started with it, stop at once."
          action="Revoke 1 key"
          onClose={() => setRevoked(null)}
          run={async () => {
            await client.keys.revoke({ params: { id: revoked.id } });
            await refresh();
          }}
        />
      )}
    </section>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, prefix, scopes, space_ids, expires_at, last_used_at } = apiKey;
  return (
    <li className="row-item">
      <div>
        <strong>{name}</strong> <code className="hint">{prefix}…</code>
        <p className="hint">
          {scopes.includes('admin') ? 'All permissions' : `${scopes.length} scopes`}
          {space_ids !== null && `, ${space_ids.length} spaces`}
          {last_used_at === null ? (
            ', never used'
          ) : (
            <>
              , used <Time value={last_used_at} isRelative />
            </>
          )}
          {expires_at !== null && (
            <>
              , expires <Time value={expires_at} isRelative />
            </>
          )}
        </p>
      </div>
      <Button onClick={onRevoke} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
    </li>
  );
}

const IssuedKeyDialog = ({ issued, onClose }: { issued: IssuedApiKey; onClose: () => void }) => (
  <Dialog title={`Key “${issued.name}”`} onClose={onClose}>
    <p>Copy the key now. It is shown only this once.</p>
    <pre className="code" data-secret="">
      {issued.key}
    </pre>
    <div className="dialog-actions">
      <CopyButton text={issued.key} label="Copy key" />
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </Dialog>
);
