import { byId } from '../community.mts';
import { ADA, GRACE } from '../known-records.mts';
import { fromList, type WireCase } from './table.mts';

const INSIDERS = {
	board_name: 'Insiders',
	about: 'For insiders',
	is_private: true,
	hidden_type: 2,
	permission_for: 5,
	needs_approval: true,
	icon: 'lock',
};

const NEWS = {
	board_name: 'News',
	is_private: false,
	hidden_type: 0,
	permission_for: 10,
	needs_approval: false,
};

export const board: WireCase[] = [
	{
		operation: 'board.upsert',
		title: 'sends every field of the board with the name',
		parameters: {
			boardName: 'insiders',
			additionalFields: {
				about: 'All that is new',
				icon: 'bell',
				isPrivate: false,
				hiddenType: 1,
				permissionFor: 1,
				needsApproval: false,
			},
		},
		expectedRequests: [
			['GET', '/api/v1/boards?page=1&page_size=50'],
			['GET', '/api/v1/boards?page=2&page_size=50'],
			['GET', '/api/v1/boards?page=3&page_size=50'],
			['GET', '/api/v1/boards?page=4&page_size=50'],
			['GET', '/api/v1/boards?page=5&page_size=50'],
			['GET', '/api/v1/boards/900'],
			[
				'PUT',
				'/api/v1/boards/900',
				{
					board_name: 'Insiders',
					about: 'All that is new',
					icon: 'bell',
					is_private: false,
					hidden_type: 1,
					permission_for: 1,
					needs_approval: false,
				},
			],
		],
		expectedItems: [{ board_id: 900, hidden_type_name: 'LOGGED_IN_MEMBERS', created: false }],
	},
	{
		operation: 'board.create',
		title: 'sends every field',
		parameters: {
			boardName: 'News',
			isPrivate: true,
			hiddenType: 1,
			permissionFor: 1,
			needsApproval: true,
			additionalFields: { about: 'All that is new', icon: 'bell' },
		},
		expectedRequests: [
			[
				'POST',
				'/api/v1/boards',
				{
					board_name: 'News',
					is_private: true,
					hidden_type: 1,
					permission_for: 1,
					needs_approval: true,
					about: 'All that is new',
					icon: 'bell',
				},
			],
		],
		expectedItems: [
			{ board_id: 131, board_name: 'News', about: 'All that is new', hidden_type: 1 },
		],
	},
	{
		operation: 'board.create',
		title: 'sends the required fields with their defaults, and leaves out what is empty',
		parameters: { boardName: 'News', additionalFields: { about: '', icon: '' } },
		expectedRequests: [['POST', '/api/v1/boards', NEWS]],
		expectedItems: [{ board_id: 131, is_private: false, about: null }],
	},
	{
		operation: 'board.create',
		title: 'passes on a list of role IDs unchanged',
		decision: 7,
		parameters: { boardName: 'News', permissionFor: '={{ $json.roles }}' },
		item: { roles: [21, 22] },
		expectedRequests: [['POST', '/api/v1/boards', { ...NEWS, permission_for: [21, 22] }]],
		expectedItems: [{ permission_for: [21, 22] }],
	},
	{
		operation: 'board.get',
		title: 'reads one board',
		parameters: { boardId: fromList('900') },
		expectedRequests: [['GET', '/api/v1/boards/900']],
		expectedItems: [{ board_id: 900, board_name: 'Insiders', permission_for: 5, post_count: 1 }],
	},
	{
		operation: 'board.getAll',
		title: 'requests no more than the limit',
		parameters: { returnAll: false, limit: 2 },
		expectedRequests: [['GET', '/api/v1/boards?page=1&page_size=2']],
		expectedItems: [{ board_id: 1 }, { board_id: 2 }],
	},
	{
		operation: 'board.getAll',
		title: 'lists all boards to find those with a name',
		parameters: { limit: 1, filters: { nameContains: 'INSÍDE' } },
		expectedRequests: [
			['GET', '/api/v1/boards?page=1&page_size=50'],
			['GET', '/api/v1/boards?page=2&page_size=50'],
			['GET', '/api/v1/boards?page=3&page_size=50'],
		],
		expectedItems: [{ board_id: 900, board_name: 'Insiders' }],
	},
	{
		operation: 'board.reorder',
		title: 'numbers the boards of a list from 1',
		parameters: {
			orderInput: 'list',
			boardOrder: { boards: [{ boardId: fromList('900') }, { boardId: byId('3') }] },
		},
		expectedRequests: [
			['PATCH', '/api/v1/boards/reorder', { display_order: { '900': 1, '3': 2 } }],
		],
		expectedItems: [{ message: 'OK', display_order: { '900': 1, '3': 2 } }],
	},
	{
		operation: 'board.reorder',
		title: 'sends the positions of a JSON text',
		parameters: { orderInput: 'json', displayOrder: '{ "12": 3, "7": "2" }' },
		expectedRequests: [['PATCH', '/api/v1/boards/reorder', { display_order: { '12': 3, '7': 2 } }]],
		expectedItems: [{ message: 'OK', display_order: { '12': 3, '7': 2 } }],
	},
	{
		operation: 'board.update',
		title: 'keeps fields that are not set',
		parameters: { boardId: byId('900'), keepOtherFields: true, updateFields: { about: 'New' } },
		expectedRequests: [
			['GET', '/api/v1/boards/900'],
			['PUT', '/api/v1/boards/900', { ...INSIDERS, about: 'New' }],
		],
		expectedItems: [{ board_id: 900, board_name: 'Insiders', about: 'New', is_private: true }],
	},
	{
		operation: 'board.update',
		title: 'replaces the board without reading it first',
		parameters: {
			boardId: byId('900'),
			keepOtherFields: false,
			updateFields: {
				boardName: 'Open',
				isPrivate: false,
				hiddenType: 0,
				permissionFor: 10,
				needsApproval: false,
				about: 'For all',
				icon: 'door',
			},
		},
		expectedRequests: [
			[
				'PUT',
				'/api/v1/boards/900',
				{
					board_name: 'Open',
					is_private: false,
					hidden_type: 0,
					permission_for: 10,
					needs_approval: false,
					about: 'For all',
					icon: 'door',
				},
			],
		],
		expectedItems: [{ board_id: 900, board_name: 'Open', about: 'For all', permission_for: 10 }],
	},
	{
		operation: 'board.updateMembers',
		title: 'combines members who join and leave in one map of full msids',
		decision: 6,
		parameters: {
			boardId: byId('900'),
			addMembers: `${ADA}, 102.x`,
			removeMembers: GRACE,
		},
		arrange: ({ community }) => community.users.set(102, { ...community.user(102), msid: '102.x' }),
		expectedRequests: [
			[
				'PUT',
				'/api/v1/boards/900/members',
				{ member_changes: { [ADA]: true, '102.x': true, [GRACE]: false } },
			],
		],
		expectedItems: [{ message: 'OK', board_id: 900, added: [ADA, '102.x'], removed: [GRACE] }],
	},
	{
		operation: 'board.updateMembers',
		title: 'accepts rows with an access each, and looks up members by their number',
		parameters: {
			boardId: byId('900'),
			membersInput: 'list',
			boardMembers: {
				members: [
					{ userId: fromList(ADA), access: 'add' },
					{ userId: byId('9002'), access: 'remove' },
				],
			},
		},
		expectedRequests: [
			['GET', '/api/v1/users/9002'],
			['PUT', '/api/v1/boards/900/members', { member_changes: { [ADA]: true, [GRACE]: false } }],
		],
		expectedItems: [{ message: 'OK', board_id: 900, added: [ADA], removed: [GRACE] }],
	},
];
