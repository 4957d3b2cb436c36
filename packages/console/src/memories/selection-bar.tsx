import type { Memory } from '@mneme/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import { countOf, type MemoryActions } from './use-memory-actions.ts';
import type { useSelection } from './use-selection.ts';

interface SelectionBarProps {
  readonly memories: readonly Memory[];
  readonly selection: ReturnType<typeof useSelection>;
  readonly actions: MemoryActions;
  readonly run: (action: Promise<unknown>) => void;
  readonly requestDeletion: (ids: readonly string[]) => void;
}

/** What can be done with the selected memories; shown while there are some. */
export function SelectionBar(props: SelectionBarProps) {
  const { memories, selection, actions, run, requestDeletion } = props;
  const [isTagging, setIsTagging] = useState(false);
  const ids = [...selection.selected];
  if (ids.length === 0) return null;
  const chosen = memories.filter(({ id }) => selection.selected.has(id));
  const areDeleted = chosen.length > 0 && chosen.every(({ is_deleted }) => is_deleted);
  return (
    <section className="selection-bar" aria-label="Selection">
      <strong role="status">{countOf(ids.length)} selected</strong>
      {areDeleted ? (
        <Button icon="restore" onClick={() => run(actions.restore(ids).then(selection.clear))}>
          Restore
        </Button>
      ) : (
        <Button icon="plus" onClick={() => setIsTagging(true)}>
          Tag
        </Button>
      )}
      <Button icon="trash" onClick={() => requestDeletion(ids)}>
        {areDeleted ? 'Delete permanently' : 'Delete'}
      </Button>
      <Button kind="quiet" onClick={selection.selectAll}>
        Select all loaded ({memories.length.toLocaleString()})
      </Button>
      <Button kind="quiet" onClick={selection.clear}>
        Clear
      </Button>
      {isTagging && (
        <TagDialog
          count={ids.length}
          onClose={() => setIsTagging(false)}
          onTag={(add, remove) => run(actions.tag(chosen, add, remove).then(selection.clear))}
        />
      )}
    </section>
  );
}

interface TagDialogProps {
  readonly count: number;
  readonly onClose: () => void;
  readonly onTag: (add: string[], remove: string[]) => void;
}

function TagDialog({ count, onClose, onTag }: TagDialogProps) {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.length + remove.length > 0) onTag(add, remove);
    onClose();
  };
  return (
    <Dialog title={`Tag ${countOf(count)}`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <div className="field">
          <label htmlFor="tags-to-add">Add tags</label>
          <TagInput id="tags-to-add" label="Add tags" value={add} onChange={setAdd} />
        </div>
        <div className="field">
          <label htmlFor="tags-to-remove">Remove tags</label>
          <TagInput id="tags-to-remove" label="Remove tags" value={remove} onChange={setRemove} />
        </div>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Tag {countOf(count)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
