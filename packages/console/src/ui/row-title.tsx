interface RowTitleProps {
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly children: string;
}

/** The title of a row, which shows and hides its details. Texts of users keep their direction. */
export const RowTitle = ({ isOpen, onToggle, children }: RowTitleProps) => (
  <button
    type="button"
    className="link"
    dir="auto"
    aria-expanded={isOpen}
    onClick={() => onToggle(!isOpen)}
  >
    <strong>{children}</strong>
  </button>
);
