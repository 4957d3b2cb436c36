import { useState } from 'react';
import type { Draft, DraftField } from './merge.ts';

interface ConflictFieldsProps {
  readonly fields: readonly DraftField[];
  readonly theirs: Draft;
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
}

const names: Readonly<Record<DraftField, string>> = {
  content: 'Content',
  tags: 'Tags',
  priority: 'Priority',
  space_id: 'Space',
};

const show = (value: Draft[DraftField]): string => {
  if (value === null) return 'None';
  return Array.isArray(value) ? value.join(', ') || 'None' : String(value);
};

/** Both versions of each field that two people changed; the choice goes into the form. */
export function ConflictFields({ fields, theirs, draft, set }: ConflictFieldsProps) {
  // The draft at the time of the conflict: later edits do not change what `Yours` means.
  const [ours] = useState(draft);
  return fields.map((field) => (
    <fieldset key={field} className="conflict">
      <legend className="field-label">{names[field]}</legend>
      {(['Yours', 'Theirs'] as const).map((side) => {
        const version = side === 'Yours' ? ours : theirs;
        return (
          <label key={side} className="radio">
            <input
              type="radio"
              name={`conflict-${field}`}
              defaultChecked={side === 'Yours'}
              onChange={() => set({ [field]: version[field] })}
            />
            <span>
              <strong>{side}</strong>
              <span dir="auto">{show(version[field]).slice(0, 600)}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  ));
}
