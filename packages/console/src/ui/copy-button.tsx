import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text. Without permission for the clipboard the text can still be selected. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}
