export { raiseStages as default } from './stage.mts';
