export { strikeStage as default } from './stage.mts';
