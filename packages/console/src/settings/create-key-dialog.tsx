import type { CreateApiKey, IssuedApiKey } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { spacesQuery } from '../api/queries.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

type Scope = NonNullable<CreateApiKey['scopes']>[number];

/** Sets of scopes for what keys are made for; scopes of the API are explained in its reference. */
const roles: readonly { id: string; name: string; hint: string; scopes?: readonly Scope[] }[] = [
  {
    id: 'agent',
    name: 'Agent',
    hint: 'Stores, changes and searches memories.',
    scopes: [
      'memories:read',
      'memories:write',
      'search:read',
      'sessions:read',
      'sessions:write',
      'relationships:read',
      'relationships:write',
      'knowledge:read',
      'spaces:read',
    ],
  },
  {
    id: 'reader',
    name: 'Reader',
    hint: 'Searches and reads, changes nothing.',
    scopes: ['memories:read', 'search:read', 'knowledge:read', 'relationships:read', 'spaces:read'],
  },
  { id: 'all', name: 'Everything', hint: 'All scopes of this key, also to create keys.' },
];

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (key: IssuedApiKey) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const client = useClient();
  const spaces = useQuery(spacesQuery(client));
  const [role, setRole] = useState('agent');
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const scopes = roles.find(({ id }) => id === role)?.scopes;
    const space = String(form.get('space'));
    const body = {
      name: String(form.get('name')),
      ...(scopes && { scopes: [...scopes] }),
      ...(space !== '' && { space_ids: [space] }),
    };
    await client.keys.create({ body }).then(onCreated, setError);
  };
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <label className="field">
          <span>Name</span>
          <input
            className="input"
            name="name"
            required
            maxLength={255}
            autoComplete="off"
            placeholder="What uses it, such as support-agent"
          />
        </label>
        <RoleChoice role={role} setRole={setRole} />
        <label className="field">
          <span>Space</span>
          <select className="select" name="space">
            <option value="">All spaces</option>
            {spaces.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                Only {name}
              </option>
            ))}
          </select>
        </label>
        {error ? <ErrorNotice error={error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const RoleChoice = ({ role, setRole }: { role: string; setRole: (role: string) => void }) => (
  <fieldset className="choices">
    <legend className="field-label">Permissions</legend>
    {roles.map(({ id, name, hint }) => (
      <label key={id} className="radio">
        <input
          type="radio"
          name="role"
          value={id}
          checked={role === id}
          onChange={() => setRole(id)}
        />
        <span>
          <strong>{name}</strong>
          <span className="hint">{hint}</span>
        </span>
      </label>
    ))}
  </fieldset>
);
