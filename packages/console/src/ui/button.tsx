import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { useIsReadOnly } from './read-only.ts';

type ButtonKind = 'primary' | 'danger' | 'quiet' | 'plain';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  /** It changes something: left out in a session that only reads. */
  readonly writes?: boolean;
}

export function Button({ kind = 'plain', icon, writes, children, ...props }: ButtonProps) {
  const isReadOnly = useIsReadOnly();
  if (writes && isReadOnly) return null;
  return (
    <button type="button" className="button" data-kind={kind} {...props}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  readonly icon: IconName;
  /** The accessible name and the tooltip. */
  readonly label: string;
}

export function IconButton({ icon, label, kind = 'quiet', writes, ...props }: IconButtonProps) {
  const isReadOnly = useIsReadOnly();
  if (writes && isReadOnly) return null;
  return (
    <button
      type="button"
      className="button"
      data-kind={kind}
      data-icon=""
      aria-label={label}
      title={label}
      {...props}
    >
      <Icon name={icon} />
    </button>
  );
}
