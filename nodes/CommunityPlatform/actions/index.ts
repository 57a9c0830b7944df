import type { Resource } from './operation';
import { board } from './board';
import { comment } from './comment';
import { post } from './post';
import { reply } from './reply';
import { role } from './role';
import { tag } from './tag';
import { user } from './user';

/** All resources, in alphabetical order. */
export const resources: Resource[] = [board, comment, post, reply, role, tag, user];

export { fieldsOf, listingFields, simplifyField } from './common';
export { optionsFieldOf } from './options';
export { fieldsFieldOf, outputField } from './toolOutput';
export { withToolVariant } from './toolVariant';
export { showFor, showForAll } from './showFor';
