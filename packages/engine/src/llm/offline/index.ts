export { createOfflineModel, type OfflineModelOptions } from './offline-model.ts';
