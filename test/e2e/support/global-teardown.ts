export { strikeStages as default } from './stage.mts';
