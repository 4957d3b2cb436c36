import { isMnemeError, type Memory, operations, type Space } from '@mneme/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import { useToast } from '../ui/toasts.tsx';
import { ConflictFields } from './conflict-fields.tsx';
import { type Draft, type DraftField, mergeDrafts, toDraft, toPatch } from './merge.ts';
import { memoryKey, updateCached } from './use-memories.ts';

interface MemoryEditorProps {
  readonly memory: Memory;
  readonly etag: string | null;
  readonly spaces: readonly Space[];
  readonly onClose: () => void;
}

/** The version that the draft changes. */
interface Base {
  readonly draft: Draft;
  readonly etag: string | null;
}

interface Conflict {
  readonly fields: readonly DraftField[];
  readonly theirs: Draft;
}

/** Saves a draft on top of the version that it was made from, and merges a newer version. */
function useEditing({ memory, etag, onClose }: MemoryEditorProps) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const [base, setBase] = useState<Base>({ draft: toDraft(memory), etag });
  const [draft, setDraft] = useState(base.draft);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { id } = memory;

  const send = async (patch: object, ifMatch: string | null) => {
    const options = ifMatch === null ? {} : { headers: { 'if-match': ifMatch } };
    const input = { params: { id }, query: { confirm: true }, body: patch };
    const { body } = await client.raw(operations.memories.update, input, options);
    updateCached(queries, body);
    await queries.invalidateQueries({ queryKey: memoryKey(id) });
  };
  const readAndMerge = async () => {
    const latest = await client.raw(operations.memories.get, { params: { id } });
    const theirs = toDraft(latest.body);
    const { merged, conflicts } = mergeDrafts(base.draft, draft, theirs);
    setBase({ draft: theirs, etag: latest.headers.get('etag') });
    setDraft(merged);
    setConflict({ fields: conflicts, theirs });
  };
  const save = async () => {
    const patch = toPatch(base.draft, draft);
    if (Object.keys(patch).length === 0) return onClose();
    setIsBusy(true);
    setError(null);
    try {
      await send(patch, base.etag);
      const before = toPatch(draft, base.draft);
      toast({ text: 'Saved.', undo: () => send(before, null) });
      onClose();
    } catch (reason) {
      if (isMnemeError(reason, 'precondition_failed')) await readAndMerge().catch(setError);
      else setError(reason);
    } finally {
      setIsBusy(false);
    }
  };
  return { base, draft, setDraft, conflict, error, isBusy, save };
}

export function MemoryEditor(props: MemoryEditorProps) {
  const { spaces, onClose } = props;
  const { draft, setDraft, conflict, error, isBusy, save } = useEditing(props);
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form
      className="form editor"
      aria-label="Edit the memory"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        if (event.key === 'Escape') onClose();
      }}
    >
      {conflict && <ConflictNote conflict={conflict} />}
      {conflict && (
        <ConflictFields fields={conflict.fields} theirs={conflict.theirs} draft={draft} set={set} />
      )}
      <label className="field">
        <span>Content</span>
        <textarea
          className="textarea"
          // biome-ignore lint/a11y/noAutofocus: editing was requested.
          autoFocus
          dir="auto"
          rows={8}
          required
          value={draft.content}
          onChange={(event) => set({ content: event.target.value })}
        />
      </label>
      <PropertyFields draft={draft} spaces={spaces} set={set} />
      {error ? <ErrorNotice error={error} /> : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={isBusy}>
          {conflict ? 'Save merged version' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

const ConflictNote = ({ conflict: { fields } }: { conflict: Conflict }) => (
  <div className="notice" data-tone="info" role="alert">
    <Icon name="alert" />
    <div>
      <strong>Somebody changed this memory while you edited it.</strong>
      {fields.length === 0
        ? 'Their changes and yours are in different fields. Both are in the form: check and save.'
        : 'Choose a version of each field that both of you changed, or edit the form.'}
    </div>
  </div>
);

interface PropertyFieldsProps {
  readonly draft: Draft;
  readonly spaces: readonly Space[];
  readonly set: (change: Partial<Draft>) => void;
}

const PropertyFields = ({ draft, spaces, set }: PropertyFieldsProps) => (
  <>
    <div className="field">
      <label htmlFor="memory-tags">Tags</label>
      <TagInput
        id="memory-tags"
        label="Tags of the memory"
        value={draft.tags}
        onChange={(tags) => set({ tags })}
      />
    </div>
    <div className="form-row">
      <label className="field">
        <span>Priority, 0 to 10</span>
        <input
          className="input"
          type="number"
          min={0}
          max={10}
          required
          value={draft.priority}
          onChange={(event) => set({ priority: event.target.valueAsNumber })}
        />
      </label>
      <label className="field">
        <span>Space</span>
        <select
          className="select"
          value={draft.space_id ?? ''}
          onChange={(event) => set({ space_id: event.target.value || null })}
        >
          <option value="">None</option>
          {spaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  </>
);
