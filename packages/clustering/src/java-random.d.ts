declare module 'java-random' {
  /** The generator of Java's standard library. */
  export default class Random {
    constructor(seed?: number);
  }
}
