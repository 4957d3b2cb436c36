import { expect, it } from 'vitest';
import { runCount } from '../../test/support/run-count.ts';
import { clusterTopicTexts, readTopicTexts, type TopicSet, topicSets } from './topics.ts';

// The longer texts take longer to embed, and say the same.
it.each(runCount<readonly TopicSet[]>(['short'], topicSets))(
  'the labelled topics, %s, come back so far as the default model tells them apart',
  async (set) => {
    const { rand, nearestCentroid, noise } = await clusterTopicTexts(await readTopicTexts(set));
    // Even one who knows the topics of all other texts stays below .6.
    expect(rand).toBeGreaterThan(0.8 * nearestCentroid.rand);
    expect(noise).toBeLessThan(0.05);
  },
);
