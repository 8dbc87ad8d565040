/** What other servers with Mastodon's API, and older ones, do differently. */
export interface Software {
  version: string
  /** `GET /api/v2/instance`; without it there is the older description alone. */
  hasCurrentInstance: boolean
  /** Of `configuration.statuses`; null where it isn't declared. */
  statuses: { max_characters: number; max_media_attachments: number; characters_reserved_per_url?: number } | null
  /** Where the number of characters is, without a configuration. */
  max_toot_chars?: number
  /** `POST /api/v2/media`; without it there is the first version alone. */
  hasCurrentMedia: boolean
  /** `GET /api/v1/statuses/:id/source` */
  hasSource: boolean
  knowsKeys: boolean
  /** All others are refused on the consent page. */
  scopes?: string[]
  /** Of RFC 8414, where the server has it. */
  metadata?: { scopes_supported: string[] }
  needsMedia?: boolean
  /** Of the address at which people see a status. */
  path(account: string, id: string): string
}

const atAccount = (account: string, id: string) => `/@${account}/${id}`
const asNotice = (_: string, id: string) => `/notice/${id}`

export const software = {
  'Mastodon 3.1': {
    version: '3.1.2',
    hasCurrentInstance: false,
    statuses: null,
    hasCurrentMedia: false,
    hasSource: false,
    knowsKeys: true,
    path: atAccount,
  },
  'Pleroma 2.4': {
    version: '2.7.2 (compatible; Pleroma 2.4.2)',
    hasCurrentInstance: false,
    statuses: null,
    max_toot_chars: 5000,
    hasCurrentMedia: true,
    hasSource: false,
    knowsKeys: true,
    path: asNotice,
  },
  'Akkoma 3.13': {
    version: '2.7.2 (compatible; Akkoma 3.13.2)',
    hasCurrentInstance: true,
    statuses: { max_characters: 5000, max_media_attachments: 16, characters_reserved_per_url: 0 },
    hasCurrentMedia: true,
    hasSource: true,
    knowsKeys: true,
    path: asNotice,
  },
  'GoToSocial 0.17': {
    version: '0.17.3+git-abc',
    hasCurrentInstance: true,
    statuses: { max_characters: 5000, max_media_attachments: 6, characters_reserved_per_url: 25 },
    hasCurrentMedia: true,
    hasSource: true,
    knowsKeys: false,
    path: (account, id) => `/@${account}/statuses/${id}`,
  },
  'Pixelfed 0.11': {
    version: '3.5.3 (compatible; Pixelfed 0.11.9)',
    hasCurrentInstance: false,
    statuses: { max_characters: 500, max_media_attachments: 20, characters_reserved_per_url: 23 },
    hasCurrentMedia: false,
    hasSource: false,
    knowsKeys: false,
    scopes: ['read', 'write', 'follow', 'push'],
    needsMedia: true,
    path: (account, id) => `/p/${account}/${id}`,
  },
  'A server with scopes of its own': {
    version: '1.0.0',
    hasCurrentInstance: true,
    statuses: { max_characters: 1000, max_media_attachments: 4 },
    hasCurrentMedia: true,
    hasSource: true,
    knowsKeys: true,
    scopes: ['read', 'write'],
    metadata: { scopes_supported: ['read', 'write'] },
    path: atAccount,
  },
} satisfies Record<string, Software>

export type SoftwareName = keyof typeof software
