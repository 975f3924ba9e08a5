import manifest from '../package.json' with { type: 'json' };

/** The version of `black`. */
export const VERSION: string = manifest.version;
