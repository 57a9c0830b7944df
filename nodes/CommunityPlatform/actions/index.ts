import { board } from './board';
import { comment, reply } from './content';
import type { Resource } from './operation';
import { post } from './post';
import { role } from './role';
import { tag } from './tag';
import { user } from './user';

/** All resources, in alphabetical order. */
export const resources: Resource[] = [board, comment, post, reply, role, tag, user];
