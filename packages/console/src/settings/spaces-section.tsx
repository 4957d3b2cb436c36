import type { Space } from '@mneme/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { spacesQuery } from '../api/queries.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { RemoveSpaceDialog } from './remove-space-dialog.tsx';

type Editing = Space | 'new' | null;

export function SpacesSection() {
  const client = useClient();
  const queries = useQueryClient();
  const [editing, setEditing] = useState<Editing>(null);
  const [removing, setRemoving] = useState<Space | null>(null);
  const spaces = useQuery(spacesQuery(client));
  const refresh = () => queries.invalidateQueries({ queryKey: ['spaces'] });
  return (
    <section className="section" aria-labelledby="spaces-title">
      <div className="section-head">
        <div>
          <h2 id="spaces-title">Spaces</h2>
          <p className="hint">Keep memories of projects or customers apart.</p>
        </div>
        <Button writes icon="plus" onClick={() => setEditing('new')}>
          Create space
        </Button>
      </div>
      {spaces.isError && <ErrorNotice error={spaces.error} retry={spaces.refetch} />}
      <ul className="rows">
        {spaces.data?.map((space) => (
          <li key={space.id} className="row-item">
            <div>
              <strong>{space.name}</strong>
              <p className="hint">
                {space.description ?? 'No description'}
                {space.memory_lifetime_days !== null &&
                  `, memories are forgotten after ${space.memory_lifetime_days} days`}
              </p>
            </div>
            <div className="row-actions">
              <Button writes onClick={() => setEditing(space)} aria-label={`Edit ${space.name}`}>
                Edit
              </Button>
              <Button
                writes
                kind="quiet"
                onClick={() => setRemoving(space)}
                aria-label={`Delete ${space.name}`}
              >
                Delete
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {removing !== null && (
        <RemoveSpaceDialog
          space={removing}
          onClose={() => setRemoving(null)}
          onRemoved={() => {
            setRemoving(null);
            void queries.invalidateQueries();
          }}
        />
      )}
      {editing !== null && (
        <SpaceDialog
          space={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null);
            void refresh();
          }}
        />
      )}
    </section>
  );
}

interface SpaceDialogProps {
  /** Null: a new one. */
  readonly space: Space | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function SpaceDialog({ space, onClose, onSaved }: SpaceDialogProps) {
  const client = useClient();
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const days = String(form.get('days'));
    const body = {
      name: String(form.get('name')),
      description: String(form.get('description')) || null,
      memory_lifetime_days: days === '' ? null : Number(days),
    };
    const saved = space
      ? client.spaces.update({ params: { id: space.id }, body })
      : client.spaces.create({ body });
    await saved.then(onSaved, setError);
  };
  return (
    <Dialog title={space ? 'Edit the space' : 'Create a space'} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <label className="field">
          <span>Name</span>
          <input
            className="input"
            name="name"
            required
            maxLength={255}
            autoComplete="off"
            defaultValue={space?.name}
          />
        </label>
        <label className="field">
          <span>Description</span>
          <input className="input" name="description" defaultValue={space?.description ?? ''} />
        </label>
        <label className="field">
          <span>Forget memories after, in days</span>
          <input
            className="input"
            name="days"
            type="number"
            min={1}
            placeholder="Never"
            defaultValue={space?.memory_lifetime_days ?? ''}
          />
        </label>
        {error ? <ErrorNotice error={error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            {space ? 'Save' : 'Create space'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
