import type { Space } from '@mneme/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useShortcuts } from '../layout/shortcuts.ts';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useIsReadOnly } from '../ui/read-only.ts';
import { TagInput } from '../ui/tag-input.tsx';
import { useToast } from '../ui/toasts.tsx';
import { listsKey } from './use-memories.ts';

/** Stores a memory by hand. */
export function NewMemory({ spaces }: { spaces: readonly Space[] }) {
  const [isOpen, setIsOpen] = useState(false);
  useShortcuts(useIsReadOnly() ? {} : { n: () => setIsOpen(true) });
  return (
    <>
      <Button writes icon="plus" onClick={() => setIsOpen(true)}>
        New memory
      </Button>
      {isOpen && <NewMemoryDialog spaces={spaces} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface NewMemoryDialogProps {
  readonly spaces: readonly Space[];
  readonly onClose: () => void;
}

function useStoring(onClose: () => void) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const store = async (body: { content: string; tags: string[]; space_id: string | null }) => {
    setIsBusy(true);
    setError(null);
    try {
      const stored = await client.memories.create({ body });
      await queries.invalidateQueries({ queryKey: listsKey });
      const undo = async () => {
        const input = { params: { id: stored.id }, query: { soft: true } };
        await client.memories.remove(input);
        await queries.invalidateQueries({ queryKey: listsKey });
      };
      toast({ text: 'Stored.', undo });
      onClose();
    } catch (reason) {
      setError(reason);
      setIsBusy(false);
    }
  };
  return { store, error, isBusy };
}

function NewMemoryDialog({ spaces, onClose }: NewMemoryDialogProps) {
  const { store, error, isBusy } = useStoring(onClose);
  const [content, setContent] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [space, setSpace] = useState('');
  const save = () => {
    if (content.trim() === '' || isBusy) return;
    void store({ content, tags, space_id: space === '' ? null : space });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <Dialog title="New memory" onClose={onClose}>
      <form
        className="form"
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      >
        <label className="field">
          <span>Content</span>
          <textarea
            className="textarea"
            autoFocus
            dir="auto"
            rows={5}
            required
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
        </label>
        <div className="field">
          <label htmlFor="new-memory-tags">Tags</label>
          <TagInput
            id="new-memory-tags"
            label="Tags of the memory"
            value={tags}
            onChange={setTags}
          />
        </div>
        {spaces.length > 0 && <SpaceField spaces={spaces} value={space} onChange={setSpace} />}
        {error ? <ErrorNotice error={error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isBusy}>
            Store
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface SpaceFieldProps {
  readonly spaces: readonly Space[];
  readonly value: string;
  readonly onChange: (space: string) => void;
}

const SpaceField = ({ spaces, value, onChange }: SpaceFieldProps) => (
  <label className="field">
    <span>Space</span>
    <select className="select" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
      {spaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
);
