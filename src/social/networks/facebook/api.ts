import { z } from 'zod'
import type { GraphApi } from '../graph/api.ts'
import type { Metadata } from '../network.ts'

const version = 'v23.0'

/** Versions live for about two years. */
export const api: GraphApi = { name: 'Facebook', origin: `https://graph.facebook.com/${version}` }
export const authorizeUrl = `https://www.facebook.com/${version}/dialog/oauth`

const StoredPage = z.object({ pageId: z.string().regex(/^\d{1,30}$/) })

export const pageOf = (metadata: Metadata): string => StoredPage.parse(metadata).pageId
