import { type RefObject, useEffect, useState } from 'react';
import { nodeTypes } from './graph-state.ts';
import type { Colours } from './scene.ts';

const variables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(nodeTypes.map((type) => [type, `--graph-${type}`])),
  mention: '--graph-mention',
  fact: '--graph-fact',
  relationship: '--graph-relationship',
  edgeFocused: '--accent',
  accent: '--accent',
  canvas: '--canvas',
  raised: '--raised',
  border: '--border-strong',
  text: '--text',
  textSoft: '--text-soft',
};

/**
 * A canvas does not know the functions of style sheets: elements compute the colours. One for each,
 * since the colour of an element that changes can be in transition.
 */
const readColours = (parent: HTMLElement): Colours =>
  Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => {
      const probe = document.createElement('span');
      probe.style.color = `var(${variable})`;
      parent.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return [name, color];
    }),
  );

/** The colours of the theme, which can change while the page is shown. */
export function useColours(element: RefObject<HTMLElement | null>): Colours {
  const [colours, setColours] = useState<Colours>({});
  useEffect(() => {
    const update = () => element.current && setColours(readColours(element.current));
    update();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    scheme.addEventListener('change', update);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', update);
    };
  }, [element]);
  return colours;
}
