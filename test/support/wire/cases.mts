import { board } from './board.mts';
import { content } from './content.mts';
import type { WireCase } from './table.mts';
import { tag } from './tag.mts';
import { user } from './user.mts';

/** The requests and the output of every operation. */
export const wireCases: WireCase[] = [...board, ...user, ...content, ...tag];
