import { Code } from './code.tsx';
import { CopyButton } from './copy-button.tsx';

const shownCharactersMax = 20_000;

/** A record as text; long ones are cut, and copied whole. */
export function JsonView({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className="json-view">
      <Code>
        {text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text}
      </Code>
      <CopyButton text={text} label="Copy JSON" />
    </div>
  );
}
