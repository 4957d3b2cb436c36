import { type KeyboardEvent, useId, useState } from 'react';
import { Icon } from './icons.tsx';

interface TagInputProps {
  readonly id?: string;
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (tags: string[]) => void;
  readonly placeholder?: string;
  /** Tags to choose from, with their counts. */
  readonly suggestions?: readonly { readonly tag: string; readonly count: number }[];
}

/** Enter or a comma adds a tag; Backspace in the empty field removes the last one. */
export function TagInput(props: TagInputProps) {
  const { id, label, value, onChange, placeholder, suggestions = [] } = props;
  const listId = useId();
  const [text, setText] = useState('');
  const add = () => {
    const tag = text.trim();
    if (tag !== '' && !value.includes(tag)) onChange([...value, tag]);
    setText('');
  };
  const handleKey = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' && text !== '') || event.key === ',') {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1));
  };
  return (
    <div className="input tag-input">
      {value.map((tag) => (
        <span key={tag} className="tag">
          <span>{tag}</span>
          <button
            type="button"
            aria-label={`Remove tag ${tag}`}
            onClick={() => onChange(value.filter((other) => other !== tag))}
          >
            <Icon name="close" size={10} />
          </button>
        </span>
      ))}
      <input
        id={id}
        aria-label={label}
        value={text}
        placeholder={value.length === 0 ? placeholder : ''}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKey}
        onBlur={add}
        list={suggestions.length > 0 ? listId : undefined}
      />
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions
            .filter(({ tag }) => !value.includes(tag))
            .map(({ tag, count }) => (
              <option key={tag} value={tag}>
                {count.toLocaleString()}
              </option>
            ))}
        </datalist>
      )}
    </div>
  );
}
