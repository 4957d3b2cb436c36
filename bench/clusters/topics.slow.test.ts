import { expect, it } from 'vitest';
import { clusterTopicTexts, readTopicTexts, topicSets } from './topics.ts';

it.each(topicSets)(
  'the labelled topics, %s, come back so far as the default model tells them apart',
  async (set) => {
    const { rand, nearestCentroid, noise } = await clusterTopicTexts(await readTopicTexts(set));
    // Even one who knows the topics of all other texts stays below .6.
    expect(rand).toBeGreaterThan(0.8 * nearestCentroid.rand);
    expect(noise).toBeLessThan(0.05);
  },
);
