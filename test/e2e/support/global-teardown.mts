/** Called by Jest after the last file. */
export { strikeStages as default } from './stage.mts';
