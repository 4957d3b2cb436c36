import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs as in the ARIA Authoring Practices: arrows move and select. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const [selected, setSelected] = useState(tabs[0]?.id);
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex(({ id }) => id === selected);
    const next = (index + step + tabs.length) % tabs.length;
    setSelected(tabs[next]?.id);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  const current = tabs.find(({ id }) => id === selected);
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, label: text }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}${id}`}
            aria-selected={id === selected}
            aria-controls={`${prefix}panel`}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => setSelected(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${prefix}panel`}
        className="tab-panel"
        aria-labelledby={`${prefix}${selected}`}
      >
        {current?.content()}
      </div>
    </>
  );
}
