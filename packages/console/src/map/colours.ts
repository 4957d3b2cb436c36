import type { ClusterMap } from '@mneme/sdk';

type MappedCluster = ClusterMap['clusters'][number];

/** Hues that are told apart next to each other; the same again in another lightness. */
const hues = [277, 155, 45, 220, 340, 95, 190, 15, 305, 125, 70, 250];
const lightness = { light: [54, 66, 44], dark: [76, 64, 86] } as const;

/** The CSS colour of a cluster: its own, or one by its size among the others. */
export function colourOf(
  cluster: MappedCluster | undefined,
  index: number,
  isDark: boolean,
): string {
  if (cluster === undefined) return isDark ? 'oklch(62% 0.01 265)' : 'oklch(66% 0.01 265)';
  if (cluster.color !== null) return cluster.color;
  const levels = lightness[isDark ? 'dark' : 'light'];
  const level = levels[Math.floor(index / hues.length) % levels.length];
  return `oklch(${level}% 0.15 ${hues[index % hues.length]})`;
}

/** Red, green and blue of CSS colours, 0 to 255. */
export function toRgb(colours: readonly string[]): Uint8ClampedArray {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, colours.length);
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser cannot draw.');
  for (const [i, colour] of colours.entries()) {
    context.fillStyle = colour;
    context.fillRect(i, 0, 1, 1);
  }
  const { data } = context.getImageData(0, 0, canvas.width, 1);
  return data.filter((_, i) => i % 4 !== 3);
}
