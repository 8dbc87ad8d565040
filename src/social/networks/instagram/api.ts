import type { GraphApi } from '../graph/api.ts'

/** Versions live for about two years. */
export const api: GraphApi = { name: 'Instagram', origin: 'https://graph.instagram.com/v23.0' }
