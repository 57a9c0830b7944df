import { byId } from '../community.mts';
import { ADA, GRACE } from '../known-records.mts';
import { fromList, type WireCase } from './table.mts';

export const content: WireCase[] = [
	{
		operation: 'post.create',
		title: 'sends the author as a list of one',
		parameters: {
			boardId: fromList('900'),
			headline: 'Hello',
			contentType: 'html',
			content: '<p>Hi all</p>',
			author: fromList(ADA),
		},
		expectedRequests: [
			[
				'POST',
				'/api/v1/posts',
				{ board_id: '900', headline: 'Hello', content: '<p>Hi all</p>', authors: [ADA] },
			],
		],
		expectedItems: [{ post_id: 1121, board_id: 900, headline: 'Hello', clean_text: 'Hi all' }],
	},
	{
		operation: 'post.get',
		title: 'reads one post',
		parameters: { postId: '9100' },
		expectedRequests: [['GET', '/api/v1/posts/9100']],
		expectedItems: [{ post_id: 9100, headline: 'First post', user: { msid: ADA } }],
	},
	{
		operation: 'post.update',
		title: 'keeps board, author and content if only the headline is set',
		parameters: { postId: '9100', keepOtherFields: true, updateFields: { headline: 'Better' } },
		expectedRequests: [
			['GET', '/api/v1/posts/9100'],
			[
				'PUT',
				'/api/v1/posts/9100',
				{ headline: 'Better', content: '<p>Hello</p>', board_id: '900', authors: [ADA] },
			],
		],
		expectedItems: [
			{ post_id: 9100, headline: 'Better', clean_text: 'Hello', user: { msid: ADA } },
		],
	},
	{
		operation: 'post.update',
		title: 'replaces the post without reading it first',
		parameters: {
			postId: '9100',
			keepOtherFields: false,
			updateFields: {
				boardId: byId('3'),
				headline: 'Moved',
				contentType: 'text',
				content: 'New text',
				author: byId(GRACE),
			},
		},
		expectedRequests: [
			[
				'PUT',
				'/api/v1/posts/9100',
				{ board_id: '3', headline: 'Moved', content: 'New text', authors: [GRACE] },
			],
		],
		expectedItems: [{ post_id: 9100, board_id: 3, headline: 'Moved', user: { msid: GRACE } }],
	},
	{
		operation: 'comment.create',
		title: 'sends post and author in the body',
		parameters: { postId: '9100', contentType: 'text', content: 'Well said', author: byId(GRACE) },
		expectedRequests: [
			['POST', '/api/v1/comments', { post_id: '9100', content: 'Well said', author: GRACE }],
		],
		expectedItems: [{ post_id: 9100, clean_text: 'Well said', user: { msid: GRACE } }],
	},
	{
		operation: 'comment.get',
		title: 'reads one comment',
		parameters: { commentId: '9200' },
		expectedRequests: [['GET', '/api/v1/comments/9200']],
		expectedItems: [{ comment_id: 9200, comment_status_name: 'ACTIVE', state_name: 'DEFAULT' }],
	},
	{
		operation: 'comment.update',
		title: 'sends the content',
		parameters: { commentId: '9200', contentType: 'text', content: 'Changed' },
		expectedRequests: [['PUT', '/api/v1/comments/9200', { content: 'Changed' }]],
		expectedItems: [{ comment_id: 9200, clean_text: 'Changed' }],
	},
	{
		operation: 'reply.create',
		title: 'sends comment and author in the body',
		parameters: { commentId: '9200', contentType: 'text', content: 'Thanks', author: byId(ADA) },
		expectedRequests: [
			['POST', '/api/v1/replies', { comment_id: '9200', content: 'Thanks', author: ADA }],
		],
		expectedItems: [{ comment_id: 9200, post_id: 9100, clean_text: 'Thanks' }],
	},
	{
		operation: 'reply.get',
		title: 'reads one reply',
		parameters: { replyId: '9300' },
		expectedRequests: [['GET', '/api/v1/replies/9300']],
		expectedItems: [{ reply_id: 9300, status_name: 'ACTIVE', state_name: 'MODERATED' }],
	},
	{
		operation: 'reply.update',
		decision: 2,
		title: 'sends the content to the reply, not to its comment',
		parameters: { replyId: '9300', contentType: 'text', content: 'Changed' },
		expectedRequests: [['PUT', '/api/v1/replies/9300', { content: 'Changed' }]],
		expectedItems: [{ reply_id: 9300, comment_id: 9200, clean_text: 'Changed' }],
	},
	{
		operation: 'role.getAll',
		title: 'lists the roles',
		parameters: { returnAll: true },
		expectedRequests: [['GET', '/api/v1/roles?page=1&page_size=50']],
		expectedItems: [
			{ role_id: 1, role_name: 'Admin' },
			...[{ role_id: 5 }, { role_id: 10, is_default: true }],
			...[{ role_id: 21 }, { role_id: 22 }, { role_id: 23 }, { role_id: 24 }],
		],
	},
];
