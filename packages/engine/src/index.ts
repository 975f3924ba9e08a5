export type * from './engine-api.ts';
