import type { Limits, Network } from '../network.ts'
import { createAuthorization, createTokenCalls, type OAuthNetwork } from '../oauth.ts'
import { checkMember, checkPage } from './account-check.ts'
import { apiVersion } from './api.ts'
import { prepare } from './media.ts'
import { corrections } from './corrections.ts'
import { publishFirstComment } from './comments.ts'
import { getMember } from './member.ts'
import { listPages } from './pages.ts'
import { authorOf, publish, remove } from './publish.ts'
import { readBack } from './read-back.ts'

const authorizeUrl = 'https://www.linkedin.com/oauth/v2/authorization'

const ofMembers: OAuthNetwork = {
  provider: 'linkedin',
  name: 'LinkedIn',
  authorizeUrl,
  scopes: ['openid', 'profile', 'w_member_social'],
  pkce: false,
  revokes: 'access',
  getAccount: getMember,
}

const ofPages: OAuthNetwork = {
  provider: 'linkedin-page',
  name: 'LinkedIn',
  authorizeUrl,
  scopes: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
  pkce: false,
  listTargets: listPages,
}

const limits: Limits = {
  characters: 3000,
  counting: 'utf16',
  media: 20,
  // They are comments on the first one.
  replies: { characters: 1250, media: 0 },
  firstComment: { characters: 1250 },
  images: { bytes: 8 * 1024 * 1024, types: ['image/jpeg', 'image/png', 'image/gif'] },
  videos: {
    types: ['video/mp4'],
    codecs: ['h264'],
    bytes: 500 * 1024 * 1024,
    minDurationMs: 3_000,
    durationMs: 30 * 60_000,
  },
  documents: { bytes: 100 * 1024 * 1024, pages: 300 },
}

const shared = {
  limits,
  count: (text: string) => text.length,
  postIdOf: (permalink: string) =>
    /^https:\/\/www\.linkedin\.com\/feed\/update\/(urn:li:(?:share|ugcPost|activity):\d{1,30})(?:[/?#].*)?$/.exec(
      permalink,
    )?.[1] ?? null,
  prepare: (call) => prepare(call, authorOf(call)),
  preparesLinkPreview: true,
  publish,
  remove,
  corrections,
  refreshAheadMs: 7 * 24 * 60 * 60_000,
  apiVersion,
} satisfies Partial<Network>

const unreadable: Network['readBack'] = async () => ({
  kind: 'unreadable',
  message: 'LinkedIn doesn’t let apps read the posts and comments of a profile.',
  final: true,
})

/** Members' tokens can't read posts, so that a lost response stays unknown. */
export const linkedin: Network = {
  ...shared,
  ...createTokenCalls(ofMembers),
  provider: 'linkedin',
  name: 'LinkedIn',
  note: 'Personal profiles.',
  retrySafety: 'never',
  connect: { by: 'authorize', authorization: createAuthorization(ofMembers), needsApp: true },
  readBack: unreadable,
  firstComments: { publish: publishFirstComment, readBack: unreadable },
  scopes: ofMembers.scopes,
  checkAccount: checkMember,
}

/** Posts of a Page can be read, which a member’s can’t. */
export const linkedinPage: Network = {
  ...shared,
  ...createTokenCalls(ofPages),
  provider: 'linkedin-page',
  name: 'LinkedIn Page',
  note: 'Company Pages.',
  places: ['organizationId'],
  retrySafety: 'reconcile_only',
  connect: { by: 'authorize', authorization: createAuthorization(ofPages), needsApp: true },
  readBack,
  firstComments: { publish: publishFirstComment, readBack },
  scopes: ofPages.scopes,
  checkAccount: checkPage,
}
