/** A line has more possible meanings than are followed; it is treated like one that cannot be parsed. */
export class TooComplex extends Error {
  constructor() {
    super('it has more possible meanings than are followed');
    this.name = 'TooComplex';
  }
}
