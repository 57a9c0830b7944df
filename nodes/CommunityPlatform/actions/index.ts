import { board } from './board';
import { comment, reply } from './content';
import type { Resource } from './operation';
import { post } from './post';
import { role } from './role';
import { tag } from './tag';
import { user } from './user';

/** All resources, in alphabetical order of their labels. */
export const resources: Resource[] = [board, comment, user, post, reply, role, tag];
