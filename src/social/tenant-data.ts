import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { eraseAccounts, eraseLooseFiles, eraseMedia, erasePosts, eraseUploads } from './erasure/erase.ts'
import { exportLogos } from './brands/logo/export.ts'
import { exportMedia } from './media/export.ts'
import { exportVideos } from './uploads/export.ts'
import {
  accountChecks,
  accountEvents,
  accountReports,
  authorizations,
  brandLogos,
  brands,
  calendarFeeds,
  connections,
  deletedPosts,
  firstComments,
  generatedImages,
  imageGenerations,
  looseFiles,
  media,
  pauses,
  postChecks,
  postComments,
  postCorrections,
  postReviews,
  postEditors,
  posts,
  preparations,
  publishAttempts,
  rateWindows,
  reviewLinkPosts,
  reviewLinks,
  unsavedPosts,
  uploadParts,
  uploads,
} from './schema.ts'

const day = 24 * 60 * 60_000

const inBrands =
  (brandId: PgColumn) =>
  (id: string): SQL =>
    sql`${brandId} IN (SELECT ${brands.id} FROM ${brands} WHERE ${brands.organizationId} = ${id})`

/** Erasure follows their order. */
export const socialData: readonly TenantData[] = [
  tenantTable(authorizations, {
    organization: inBrands(authorizations.brandId),
    export: { never: 'It gives access to an account on a network, and is deleted after a few minutes.' },
    erasure: { organization: 'delete', person: 'expire' },
    retention: { after: authorizations.expiresAt, ms: 0 },
  }),
  tenantTable(unsavedPosts, {
    organization: inBrands(unsavedPosts.brandId),
    person: unsavedPosts.personId,
    export: { never: 'Only its author can see it, and what they save is exported as a post.' },
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: unsavedPosts.updatedAt, ms: 90 * day },
  }),
  tenantTable(postEditors, {
    organization: inBrands(postEditors.brandId),
    person: postEditors.personId,
    export: { never: 'Who has the composer open right now.' },
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: postEditors.seenAt, ms: day },
  }),
  tenantTable(calendarFeeds, {
    organization: inBrands(calendarFeeds.brandId),
    person: calendarFeeds.personId,
    export: ['id', 'brandId', 'personId', 'createdAt', 'lastUsedAt'],
    erasure: { organization: 'delete', person: 'delete' },
    retention: 'owner',
  }),
  tenantTable(reviewLinks, {
    organization: inBrands(reviewLinks.brandId),
    export: [
      ...(['id', 'brandId', 'guestName', 'canDecide', 'createdBy', 'createdAt', 'expiresAt', 'revokedAt'] as const),
      ...(['lastUsedAt', 'requestedAt'] as const),
    ],
    // A link of a person without an account doesn't work.
    erasure: { organization: 'delete', person: 'keep' },
    retention: { after: reviewLinks.expiresAt, ms: 90 * day },
  }),
  tenantTable(reviewLinkPosts, {
    organization: inBrands(reviewLinkPosts.brandId),
    export: ['brandId', 'linkId', 'postId'],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(deletedPosts, {
    organization: inBrands(deletedPosts.brandId),
    export: { never: 'It can be restored for ten minutes, and is erased after a day.' },
    erasure: { organization: 'delete', person: 'expire' },
    retention: { after: deletedPosts.deletedAt, ms: day },
  }),
  tenantTable(posts, {
    organization: inBrands(posts.brandId),
    export: [
      ...(['id', 'brandId', 'groupId', 'threadId', 'position', 'authorId', 'provider', 'status', 'text'] as const),
      ...([
        'media',
        'firstComment',
        'linkPreview',
        'tags',
        'campaign',
        'scheduledAt',
        'timeZone',
        'target',
        'youtube',
      ] as const),
      ...(['platformPostId', 'permalink', 'publishedAt', 'withdrawnAt', 'externalAccount', 'failureCode'] as const),
      ...(['failureMessage', 'failedAt', 'reviewState', 'reviewStateAt', 'reviewRequestedBy', 'contentBy'] as const),
      ...(['contentWriters', 'version', 'createdAt', 'updatedAt'] as const),
    ],
    // Posts belong to their organization: an erased author is an id without a name.
    erasure: { organization: erasePosts, person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(publishAttempts, {
    organization: inBrands(publishAttempts.brandId),
    export: [
      ...(['id', 'brandId', 'postId', 'number', 'connectionId', 'provider', 'externalAccount', 'state'] as const),
      ...(['payload', 'events', 'startedAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(firstComments, {
    organization: inBrands(firstComments.brandId),
    export: [
      ...(['id', 'brandId', 'provider', 'externalAccount', 'state', 'attempts', 'platformCommentId'] as const),
      ...(['failureCode', 'failureMessage', 'events', 'startedAt', 'settledAt', 'createdAt'] as const),
    ],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(postCorrections, {
    organization: inBrands(postCorrections.brandId),
    export: [
      ...(['id', 'brandId', 'postId', 'authorId', 'formerText', 'text', 'reason', 'state'] as const),
      ...(['failureCode', 'failureMessage', 'createdAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'cascade', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(postReviews, {
    organization: inBrands(postReviews.brandId),
    export: [
      ...(['id', 'brandId', 'postId', 'userId', 'linkId', 'guestName', 'decision', 'comment', 'content'] as const),
      ...(['postVersion', 'writers', 'confirmedAlone', 'createdAt', 'voidedAt', 'voidReason'] as const),
    ],
    erasure: { organization: 'cascade', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(postComments, {
    organization: inBrands(postComments.brandId),
    export: [
      ...(['id', 'brandId', 'postId', 'userId', 'linkId', 'guestName', 'text', 'quote', 'mentions'] as const),
      ...(['createdAt', 'resolvedAt', 'resolvedBy'] as const),
    ],
    erasure: { organization: 'cascade', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(preparations, {
    organization: inBrands(preparations.brandId),
    export: { never: 'The state of an upload to a network, which is deleted when the post was published or failed.' },
    erasure: { organization: 'cascade' },
    retention: { after: preparations.progressedAt, ms: 2 * day },
  }),
  tenantTable(postChecks, {
    organization: inBrands(postChecks.brandId),
    export: ['postId', 'brandId', 'provider', 'state', 'checkedAt'],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(uploads, {
    organization: inBrands(uploads.brandId),
    export: [
      ...([
        'id',
        'brandId',
        'createdBy',
        'name',
        'metadata',
        'status',
        'length',
        'contentType',
        'sha256',
        'createdAt',
      ] as const),
    ],
    files: exportVideos,
    erasure: { organization: eraseUploads, person: 'keep' },
    retention: { job: 'social.sweep-files' },
  }),
  tenantTable(uploadParts, {
    export: { never: 'The chunks of a file that isn’t complete.' },
    erasure: { organization: 'cascade' },
    retention: { job: 'social.sweep-files' },
  }),
  tenantTable(generatedImages, {
    organization: (id) =>
      sql`${generatedImages.generationId} IN (SELECT ${imageGenerations.id} FROM ${imageGenerations} WHERE ${inBrands(imageGenerations.brandId)(id)})`,
    export: ['generationId', 'position', 'mediaId'],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(imageGenerations, {
    organization: inBrands(imageGenerations.brandId),
    export: [
      ...(['id', 'brandId', 'createdBy', 'service', 'prompt', 'size', 'count', 'requestedModel', 'model'] as const),
      ...(['costNanoUsd', 'status', 'failureCode', 'failureMessage', 'createdAt', 'finishedAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: { after: imageGenerations.expiresAt, ms: 0 },
  }),
  tenantTable(media, {
    organization: inBrands(media.brandId),
    export: [
      ...(['id', 'brandId', 'createdBy', 'kind', 'name', 'alt', 'tags', 'contentType', 'width', 'height'] as const),
      ...(['bytes', 'sha256', 'animated', 'durationMs', 'frames', 'frameRate', 'rotation', 'videoCodec'] as const),
      ...(['audioCodec', 'hasAudio', 'pages', 'createdAt'] as const),
    ],
    files: exportMedia,
    erasure: { organization: eraseMedia, person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(looseFiles, {
    export: { never: 'Files left over from interrupted uploads and deleted images.' },
    erasure: { organization: eraseLooseFiles },
    retention: { job: 'social.sweep-files' },
  }),
  tenantTable(accountReports, {
    organization: (id) =>
      sql`${accountReports.connectionId} IN (SELECT ${connections.id} FROM ${connections} WHERE ${inBrands(connections.brandId)(id)})`,
    export: ['connectionId', 'lastUsedAt'],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(accountChecks, {
    organization: inBrands(accountChecks.brandId),
    export: ['connectionId', 'brandId', 'checkedAt', 'problem', 'quotaLeft', 'quotaTotal', 'isRefreshable', 'hasApp'],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(accountEvents, {
    organization: inBrands(accountEvents.brandId),
    export: [
      ...(['id', 'brandId', 'connectionId', 'kind', 'personId', 'message', 'added', 'removed'] as const),
      ...(['times', 'firstAt', 'at'] as const),
    ],
    erasure: { organization: 'cascade', person: 'keep' },
    retention: { after: accountEvents.at, ms: 365 * day },
  }),
  tenantTable(pauses, {
    organization: (id) => sql`(${pauses.organizationId} = ${id} OR ${inBrands(pauses.brandId)(id)})`,
    export: ['id', 'organizationId', 'brandId', 'connectionId', 'pausedBy', 'pausedAt'],
    // Who paused is an ID without a name after their erasure.
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(connections, {
    organization: inBrands(connections.brandId),
    export: [
      ...(['id', 'brandId', 'provider', 'ownerId', 'active', 'externalId', 'name', 'metadata', 'host'] as const),
      ...(['scopes', 'expiresAt', 'health', 'createdAt', 'deactivatedAt'] as const),
    ],
    erasure: { organization: eraseAccounts, person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(brandLogos, {
    organization: inBrands(brandLogos.brandId),
    export: ['brandId', 'updatedAt'],
    files: exportLogos,
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(brands, {
    organization: brands.organizationId,
    export: [
      ...(['id', 'organizationId', 'name', 'slug', 'timeZone', 'logoSha256', 'colors', 'voice'] as const),
      ...([
        'avoidedWords',
        'languages',
        'defaultHashtags',
        'hashtagPlacements',
        'queueSlots',
        'reviewPolicy',
        'createdAt',
      ] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  // Of no tenant, but it expires.
  tenantTable(rateWindows, {
    export: { never: 'It is deleted when the network’s rate limit resets.' },
    erasure: {},
    retention: { after: rateWindows.opensAt, ms: day },
  }),
]
