export { raiseStage as default } from './stage.mts';
